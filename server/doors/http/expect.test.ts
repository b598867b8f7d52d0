import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHtml } from '@/server/testing/page-fixture';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/** The post-condition of an action, by HTTP. */
let server: TestServer;
let site: Awaited<ReturnType<typeof serveHtml>>;

const PAGE = `<!doctype html><title>Basket</title><button onclick="setTimeout(() => { said.textContent = 'Added to basket'; this.disabled = true; }, 400)">Add</button>
  <button onclick="location.hash = 'basket'">Go</button><button onclick="">Nothing</button><button onclick="setTimeout(() => alert('Stop'), 0)">Warn</button><p id="said">Empty</p>`;

beforeAll(async () => {
  [server, site] = await Promise.all([sharedTestServer(), serveHtml(PAGE)]);
});

afterAll(async () => {
  site.close();
  await server.close();
});

const press = async (name: string, expected: object, more: object = {}) => {
  const { id } = await server.session(`http://127.0.0.1:${site.port}/`);
  await server.act(id, { kind: 'wait', loadState: 'load' });
  return server.act(id, { kind: 'click', role: 'button', name, expect: expected, ...more });
};

describe('expect', () => {
  it.each<[string, object]>([
    ['Add', { text: 'Added to basket' }],
    ['Add', { textGone: 'Empty' }],
    ['Add', { target: { role: 'button', name: 'Add', state: 'disabled' } }],
    ['Add', { target: { selector: '#said' }, changed: true }],
    ['Go', { url: '**#basket' }],
    ['Nothing', { target: { role: 'dialog', state: 'hidden' }, changed: false }],
  ])('[AC5] after pressing %s, %j is waited for and holds', async (name, expected) => {
    const reply = await press(name, expected);
    expect([reply.ok, reply.error]).toEqual([true, undefined]);
  });

  it('[AC8] an expectation that failed is named, with the actual result, and that the action was done', async () => {
    const reply = await press(
      'Add',
      { url: '**/checkout', text: 'Added to basket', target: { role: 'link', name: 'Pay' } },
      { timeoutMs: 2_500 },
    );
    expect(reply.error).toMatchObject({
      code: 'TIMEOUT',
      message:
        'The action (click) was carried out, but what was expected did not come: the address **/checkout; link "Pay" visible.',
      hint: expect.stringContaining('before doing it again'),
      details: {
        done: true,
        expected: ['the address **/checkout', 'link "Pay" visible'],
        seen: {
          url: `http://127.0.0.1:${site.port}/`,
          title: 'Basket',
          page: expect.stringContaining('- button "Add" [disabled]'),
        },
      },
    });
  });

  it('[AC8] reports no change where one was expected, and a change where none was', async () => {
    const [none, some] = [
      await press('Nothing', { changed: true }, { timeoutMs: 2_500 }),
      await press('Go', { changed: false }, { timeoutMs: 2_500 }),
    ];
    expect([none.error?.message, some.error?.message]).toEqual([
      expect.stringContaining('did not come: a change of the page'),
      expect.stringContaining('did not come: no change of the page'),
    ]);
  });

  it('[DI1] reports a dialog that prevents the check', async () => {
    const reply = await press('Warn', { text: 'Added' }, { timeoutMs: 3_000 });
    expect(reply.error).toMatchObject({ code: 'DIALOG_OPEN', details: expect.objectContaining({}) });
  });

  it('[AC8] a mistake in it is a mistake, not a page that does not comply', async () => {
    const [empty, field, selector] = [
      await press('Nothing', {}),
      await press('Nothing', { colour: 'red' }),
      await press('Nothing', { target: { selector: '##' } }, { timeoutMs: 3_000 }),
    ];
    expect([empty.error?.message, field.error?.message, selector.error?.code]).toEqual([
      expect.stringContaining('"expect" needs at least one of'),
      expect.stringContaining('colour'),
      'BAD_REQUEST',
    ]);
  });
});
