import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoSite, type DemoSite } from '@/server/demo/site';
import { refOf, sharedTestServer, type TestServer } from '@/server/testing/server';

/** An agent that knows only the HTTP contract and the catalog of actions. */
let server: TestServer;
let shop: DemoSite;

beforeAll(async () => {
  [server, shop] = await Promise.all([sharedTestServer(), startDemoSite()]);
});

afterAll(async () => {
  await shop.close();
  await server.close();
});

async function orders(): Promise<unknown> {
  return (await fetch(`${shop.url}/__effects`)).json();
}

describe('an agent written against the contract', () => {
  it('[DO1] buys in the demo shop by refs, survives a hanging script, is taken over and gets the lease back', async () => {
    const { id } = await server.session(shop.url, 'tester');
    const act = (action: unknown): ReturnType<TestServer['act']> => server.act(id, action, 'tester');
    const ok = async (action: unknown): Promise<void> => {
      const reply = await act(action);
      expect(reply.error, JSON.stringify(action)).toBeUndefined();
    };

    let page = await server.snapshot(id);
    await ok({ kind: 'type', ref: refOf(page, 'searchbox', /search/i), text: 'monstera', submit: true });
    page = await server.snapshot(id);
    await ok({ kind: 'click', ref: refOf(page, 'link', /monstera/i) });
    page = await server.snapshot(id);
    await ok({ kind: 'click', ref: refOf(page, 'button', /add to cart/i) });
    await ok({ kind: 'navigate', url: `${shop.url}/checkout` });

    const hung = await act({ kind: 'evaluate', fn: '() => { while (true) {} }', timeoutMs: 500 });
    expect(hung.error?.code).toBe('TIMEOUT');

    page = await server.snapshot(id);
    await ok({ kind: 'type', ref: refOf(page, 'textbox', /full name/i), text: 'Lin Yue' });
    const cookie = await server.signIn();
    const person = { cookie, origin: server.origin, authorization: '' };
    const control = async (body: unknown): Promise<Response> =>
      fetch(`${server.origin}/api/v1/sessions/${id}/tabs/active/control`, {
        method: 'POST',
        headers: { cookie: person.cookie, origin: person.origin, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const taken = await control({ do: 'take' });
    expect([taken.status, await taken.json()]).toEqual([
      200,
      expect.objectContaining({ state: 'held', holder: expect.objectContaining({ kind: 'human' }) }),
    ]);

    const refused = await act({ kind: 'press', key: 'Tab' });
    expect(refused.error).toMatchObject({ code: 'CONTROL_HELD', retry: 'later' });

    const waiting = server.api('GET', `/api/v1/sessions/${id}/tabs/active/control/wait?timeoutMs=20000`, undefined, {
      'x-agent': 'tester',
    });
    expect((await control({ do: 'hand-back', note: 'name is right, go on' })).status).toBe(200);
    expect(await waiting).toMatchObject({
      status: 200,
      body: { state: 'held', holder: { name: 'tester' }, handoff: { note: 'name is right, go on', by: 'Owner' } },
    });

    page = await server.snapshot(id);
    const mail = await act({ kind: 'type', ref: refOf(page, 'textbox', /e-?mail/i), text: 'lin@example.org' });
    expect(mail).toMatchObject({ ok: true, handoff: { note: 'name is right, go on' } });
    await fillRest(id, ok);
    page = await server.snapshot(id);
    await ok({ kind: 'click', ref: refOf(page, 'button', /place|order|pay/i) });

    expect((await server.snapshot(id)).text).toMatch(/FF-[A-Z0-9]+/);
    expect(await orders()).toMatchObject({ orders: 1, addToCart: 1 });
  }, 90_000);

  async function fillRest(id: string, ok: (action: unknown) => Promise<void>): Promise<void> {
    const page = await server.snapshot(id);
    const typed: readonly (readonly [RegExp, string])[] = [
      [/street/i, '12 Harbour Road'],
      [/city|town/i, 'Bristol'],
      [/post/i, 'BS1 4QA'],
      [/card number/i, '4242 4242 4242 4242'],
      [/expiry/i, '12/30'],
      [/security code/i, '123'],
    ];
    for (const [name, text] of typed) {
      const field = page.refs.find((entry) => entry.role === 'textbox' && name.test(entry.name));
      if (field) await ok({ kind: 'type', ref: field.ref, text });
    }
    const country = page.refs.find((entry) => entry.role === 'combobox' && /country/i.test(entry.name));
    if (country) await ok({ kind: 'select', ref: country.ref, values: ['United Kingdom'] });
    const date = page.refs.find((entry) => /delivery date/i.test(entry.name));
    if (date)
      await ok({ kind: 'type', ref: date.ref, text: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10) });
    const speed = page.refs.find((entry) => entry.role === 'radio');
    if (speed) await ok({ kind: 'check', ref: speed.ref, checked: true });
    const terms = page.refs.find((entry) => entry.role === 'checkbox' && /terms/i.test(entry.name));
    if (terms) await ok({ kind: 'check', ref: terms.ref, checked: true });
  }
});
