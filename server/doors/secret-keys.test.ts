import { expect, it } from 'vitest';
import { z } from 'zod';
import { KnownSecrets } from '@/server/browser/known-secrets';
import { driving, soon } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Secrets that come key by key, that become known late, or that are ordinary words (T14, SN6). */
const PAGE = `<title>Keys</title><input id="word" type="password" aria-label="Word"><input id="city" aria-label="City"><button onclick="said.textContent = 'Done'">Proceed99</button><p id="said"></p>
<script>word.addEventListener('input', () => { console.log('typed ' + word.value); document.title = 'Now ' + word.value; }); addEventListener('keyup', ({ key }) => key === 'Enter' && alert(word.value));</script>`;
const fixture = useServerFixture({ '/': PAGE });

const read = async (id: string, what: string): Promise<unknown> =>
  (await fixture.server.api('GET', `/api/v1/sessions/${id}${what}`)).body;
const everything = async (id: string): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      ['', '/timeline?limit=500', '/tabs/t1/console', '/tabs/t1/snapshot', '/tabs/t1/snapshot?view=aria'].map((what) =>
        read(id, what),
      ),
    ),
  );

it('[T14] a password that an agent presses key by key is known, with and without a target, and its beginnings from three quarters on', async () => {
  const { id } = await fixture.server.session(`${fixture.site}/`);
  await fixture.server.act(id, { kind: 'press', selector: '#word', key: 'w' });
  for (const key of 'ombat31polka')
    expect((await fixture.server.act(id, { kind: 'press', key })).error).toBeUndefined();
  const told = await everything(id);
  expect(told).toContain('Now •••');
  expect(told).not.toMatch(/wombat31po/);
}, 60_000);

it('[T14] so is one that a person types by keys, and long typing displaces nothing', async () => {
  const { id, person, key, hold } = await driving(fixture, '/');
  const inside = fixture.inside(id);
  await inside.registry.find('t1').tab.sessions.evaluate.send('Runtime.evaluate', { expression: 'word.focus()' });
  for (const one of 'wombat31polka') await key(one);
  await soon(() => inside.secrets.reveal().some(({ text }) => text === 'wombat31polka'));
  await inside.registry.find('t1').tab.sessions.evaluate.send('Runtime.evaluate', { expression: 'city.focus()' });
  await hold();
  await key('Tab');
  for (let at = 0; at < 80; at += 1) await key('abcdefgh'[at % 8] ?? 'a');
  expect(inside.secrets.reveal().map(({ text }) => text)).toEqual(['wombat31polka', 'abcdefgh'.repeat(10)]);
  await hold({ private: false });
  await soon(async () => (await fixture.server.act(id, { kind: 'snapshot' })).ok);
  await fixture.control(id, { do: 'release' });
  expect(await everything(id)).not.toMatch(/wombat31po/);
  person.disconnect();
}, 60_000);

it('[SN6] an ordinary word typed as a password hides no control and no name from others: refs, role and name, and deltas work', async () => {
  const { id } = await fixture.server.session(`${fixture.site}/`, 'Proceed99');
  const act = (action: object): ReturnType<typeof fixture.server.act> => fixture.server.act(id, action, 'Proceed99');
  const first = z
    .object({ revision: z.int(), refs: z.array(z.object({ ref: z.string(), name: z.string() })) })
    .parse(await read(id, '/tabs/t1/snapshot?refs=1'));
  const ref = first.refs.find(({ name }) => name === 'Proceed99')?.ref;
  const cleared = async (): Promise<void> => void (await act({ kind: 'evaluate', fn: "said.textContent = ''" }));
  await act({ kind: 'type', selector: '#word', text: 'Proceed99' });
  for (const target of [{ ref }, { role: 'button', name: 'Proceed99' }, { role: 'button', name: '•••' }]) {
    await cleared();
    expect((await act({ kind: 'click', ...target })).error).toBeUndefined();
    expect((await act({ kind: 'evaluate', fn: 'said.textContent' })).value).toBe('Done');
  }
  const since = JSON.stringify(await read(id, `/tabs/t1/snapshot?since=${first.revision}&refs=1`));
  expect(since).toContain('•••');
  expect(since).not.toContain('Proceed99');
  const rows = z
    .array(z.object({ kind: z.string(), text: z.string(), actor: z.object({ name: z.string() }) }))
    .parse(await read(id, '/timeline?limit=500'));
  expect(new Set(rows.filter(({ kind }) => kind === 'click').map(({ actor }) => actor.name))).toEqual(
    new Set(['Proceed99']),
  );
  expect(
    rows
      .filter(({ kind }) => kind === 'click')
      .map(({ text }) => text)
      .join(),
  ).not.toContain('Proceed99');
}, 60_000);

it('[T14] many typed secrets displace only secrets of the same participant', () => {
  const secrets = new KnownSecrets();
  secrets.add('wombat31polka', 'ada');
  for (let at = 0; at < 200; at += 1) secrets.add(`${at}`.padEnd(100, 'x'), 'bob');
  expect(secrets.reveal().length).toBeLessThanOrEqual(64);
  expect(secrets.redactor.text('wombat31polka')).toBe('•••');
});
