import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { receiptSchema, type Receipt } from '@/lib/actions/receipt';
import { PersonInput } from '@/server/testing/person-input';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/** What an agent is told when a person gives it the lease back, by each way in which it is told (CO5). */

const at = (top: number): string => `style="position:absolute;left:20px;top:${top}px;width:160px;height:30px"`;
const PAGES = {
  '/': `<title>Shop</title><button ${at(20)} onclick="document.cookie = 'seen=Zk9valueQ'; this.after(Object.assign(document.createElement('p'), { textContent: 'Thank you' }))">Agree</button>
    <input ${at(60)} aria-label="City"><input ${at(100)} aria-label="Password" type="password"><a ${at(140)} href="/file" download="list.txt">Get list</a><ul style="margin-top:200px">${Array.from({ length: 20 }, (_, index) => `<li>Line ${index}</li>`).join('')}</ul>`,
  '/file': 'one,two',
  '/next': '<title>Next</title><p>There',
};
const PASSWORD = 'Wq7zXj9';

const fixture = useServerFixture(PAGES);

async function taken(
  url: string,
  view = 'refs=1',
): Promise<{ id: string; hand: PersonInput; act: (action: unknown) => Promise<void> }> {
  const { id } = await fixture.server.session(url);
  await fixture.server.act(id, { kind: 'press', key: 'Shift' });
  await fixture.server.snapshot(id, view);
  const person = fixture.person();
  await ask(person, 'session.join', { session: id });
  expect((await fixture.control(id, { do: 'take' })).status).toBe(200);
  const act = async (action: unknown): Promise<void> => {
    const done = await ask(person, 'act', { session: id, tab: 't1', action });
    expect(done.ok ? done.data.error : done.error).toBeUndefined();
  };
  return { id, hand: new PersonInput(person, fixture.inside(id)), act };
}

const waitSchema = z.object({ handoff: receiptSchema });

async function told(id: string): Promise<Receipt> {
  return waitSchema.parse(
    (await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control/wait?timeoutMs=20000`)).body,
  ).handoff;
}

/** Everything that the server keeps on disk. */
function kept(): string {
  const files = readdirSync(fixture.server.dataDir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /wheelhouse|\.db|\.sqlite|wal|log/i.test(entry.name),
  );
  return files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1')).join('');
}

it('[CO5][CO11][SN6] the agent is told what the person did and what changed, once with its next reply; a password is nowhere', async () => {
  const { id, hand, act } = await taken(fixture.url);
  await hand.click(100, 35);
  await hand.click(100, 75);
  await hand.keys('Riga');
  await hand.click(100, 115);
  await hand.keys(PASSWORD);
  await hand.click(100, 155);
  await act({ kind: 'download', do: 'wait' }).catch(() => undefined);
  await act({ kind: 'tab', do: 'open', url: `${fixture.site}/next` });
  expect((await fixture.control(id, { do: 'hand-back', note: 'signed in' })).status).toBe(200);
  const waited = await told(id);
  const first = await fixture.server.act(id, { kind: 'press', key: 'Shift' });
  const second = await fixture.server.act(id, { kind: 'press', key: 'Shift' });
  const rows = await fixture.inside(id).timeline.events({ limit: 500 });

  expect([first.handoff, second.handoff]).toEqual([waited, undefined]);
  expect(waited).toMatchObject({
    by: 'Owner',
    note: 'signed in',
    urlBefore: fixture.url,
    tabsOpened: [{ url: `${fixture.site}/next` }],
    tabsClosed: [],
    downloads: [{ name: 'list.txt' }],
    cookies: { added: ['seen'], changed: [], removed: [] },
  });
  const steps = (waited.actions ?? []).map(({ step }) => step);
  expect(steps.filter((step) => !step.startsWith('type'))).toEqual([
    'click role="button" name="Agree" nth=0',
    'click role="textbox" name="City" nth=0',
    'click role="textbox" name="Password" nth=0',
    'click role="link" name="Get list" nth=0',
    `new_tab [${fixture.site}/next]`,
  ]);
  expect(
    (waited.actions ?? [])
      .filter(({ element }) => element?.name === 'City')
      .map(({ action }) => (typeof action['text'] === 'string' ? action['text'] : ''))
      .join(''),
  ).toBe('Riga');
  expect(
    steps
      .filter((step) => step.includes('"Password"') && step.startsWith('type'))
      .map((step) => step.startsWith('type [${hidden}] [0]')),
  ).toContain(true);
  expect(rows.filter(({ receipt }) => receipt).map(({ receipt, kind }) => [kind, receipt?.note])).toEqual([
    ['control', 'signed in'],
  ]);
  const all = `${JSON.stringify([waited, first, rows])}${kept()}`;
  // The same search finds texts that are not secret, also on disk.
  expect(kept()).toContain('Riga');
  expect(
    [PASSWORD, PASSWORD.slice(0, 4), PASSWORD.slice(3), 'Zk9valueQ'].filter((secret) => all.includes(secret)),
  ).toEqual([]);
}, 120_000);

it("[CO5][SN4] tells the changes of the page since the agent's last look, and the elements of its refs", async () => {
  const { id, hand } = await taken(fixture.url);
  await hand.click(100, 35);
  expect((await fixture.control(id, { do: 'hand-back' })).status).toBe(200);
  const { page, refs } = await told(id);

  expect(page?.text ?? page?.why).toContain('Thank you');
  expect(refs).toMatchObject({ tab: 't1', invalid: [] });
  expect(refs?.kept).toBeGreaterThan(0);
}, 60_000);

it('[CO5] of a replaced page says that its refs are gone', async () => {
  const { id, act } = await taken(fixture.url);
  await act({ kind: 'navigate', url: `${fixture.site}/next` });
  expect((await fixture.control(id, { do: 'hand-back' })).status).toBe(200);
  const { refs, url, urlBefore } = await told(id);

  expect([url, urlBefore, refs?.kept, (refs?.invalid ?? []).length > 0]).toEqual([
    `${fixture.site}/next`,
    fixture.url,
    0,
    true,
  ]);
}, 60_000);

it('[CO5] two hand-backs while the agent was away become one', async () => {
  const { id, hand, act } = await taken(fixture.url);
  await hand.click(100, 75);
  expect((await fixture.control(id, { do: 'hand-back', note: 'one' })).status).toBe(200);
  expect((await fixture.control(id, { do: 'take' })).status).toBe(200);
  await act({ kind: 'navigate', url: `${fixture.site}/next` });
  expect((await fixture.control(id, { do: 'hand-back', note: 'two' })).status).toBe(200);
  const { note, actions, urlBefore } = await told(id);

  expect([note, urlBefore, (actions ?? []).map(({ action }) => action.kind)]).toEqual([
    'one\ntwo',
    fixture.url,
    ['click', 'navigate'],
  ]);
}, 60_000);
