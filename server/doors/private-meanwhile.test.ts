import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { sessionSchema } from '@/lib/protocol/views';
import { driving, soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Selectors that ask what fields hold (CO8), begun while nothing was masked yet. */

/** `closeGate` keeps the page busy until the test opens the gate. */
const PAGE = `<title>Calm</title><iframe srcdoc="<p>Inside"></iframe><input id="word" aria-label="Word" autofocus><p id="news">None</p><script>
  word.focus();
  word.addEventListener('input', () => word.setAttribute('value', word.value));
  const closeGate = () => { const gate = new XMLHttpRequest(); gate.open('GET', '/gate', false); gate.send(); };
</script>`;
const SECRET = 'wombat31polka';
const REFUSED = { code: 'BAD_REQUEST', message: expect.stringContaining('entered privately') };

const gates: ServerResponse[] = [];
const fixture = useServerFixture({ '/': PAGE, '/gate': (_, response) => void gates.push(response) });
const open = (): void => gates.splice(0).forEach((response) => response.end('open'));
afterEach(open);
const evaluate = async (id: string, expression: string): Promise<void> =>
  void (await fixture.inside(id).activeSessionTab().tab.sessions.sentinel.send('Runtime.evaluate', { expression }));

it('[CO8] an action that arrived while the page was being shown again is refused the typed text', async () => {
  const { id, type, hold } = await driving(fixture);
  await hold();
  await type(SECRET);
  const busy = evaluate(id, 'closeGate()');
  await soon(() => gates.length > 0);
  await hold({ private: false });
  const waiting = fixture.server.act(id, { kind: 'wait', selector: '[value^="wom"]', timeoutMs: 20_000 });
  await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control`);
  open();
  await busy;

  expect((await waiting).error).toMatchObject(REFUSED);
}, 60_000);

it('[CO8] [CO3] so is one that waited for the lease during the hold', async () => {
  const { body } = await fixture.server.api(
    'POST',
    '/api/v1/sessions',
    { url: fixture.url, policy: { whenTaken: 'wait' } },
    { 'x-agent': 'driver' },
  );
  const { id } = sessionSchema.parse(body);
  await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'driver');
  await fixture.control(id, { do: 'take', private: true });
  const clicking = fixture.server.act(id, { kind: 'click', selector: '[value^="wom"]', timeoutMs: 40_000 }, 'driver');
  const headers = { ...fixture.owner, 'content-type': 'application/json' };
  const typed = await fetch(`${fixture.server.origin}/api/v1/sessions/${id}/tabs/t1/act`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ kind: 'type', selector: '#word', text: SECRET }),
  });
  await fixture.control(id, { do: 'hand-back' });

  expect([typed.status, (await clicking).error]).toEqual([200, expect.objectContaining(REFUSED)]);
}, 60_000);

it('[CO8] [SN8] a snapshot that is watched by such a selector is not sent any more', async () => {
  const { id, type, hold } = await driving(fixture);
  const [asking, plain] = [fixture.agent('asking'), fixture.agent('plain')];
  const told: Record<string, string[]> = { asking: [], plain: [] };
  for (const [name, client] of Object.entries({ asking, plain })) {
    await ask(client, 'session.join', { session: id });
    client.on('snapshot', (push) => told[name]?.push(JSON.stringify(push)));
    client.on('snapshot.patch', (push) => told[name]?.push(JSON.stringify(push)));
  }
  // Goes on for as long as the field does not begin so.
  const opened = await ask(asking, 'snapshot.watch', {
    session: id,
    tab: 't1',
    options: { frame: 'iframe:not(:has(~ [value^="q"]))' },
  });
  await ask(plain, 'snapshot.watch', { session: id, tab: 't1', options: {} });
  await hold();
  await ask(asking, 'hello', { protocol: 1 });
  const before = told['asking']?.length;
  await type(SECRET);
  await hold({ private: false });
  // The second is built after the first was sent to everybody.
  for (const word of ['First', 'Second']) {
    await evaluate(id, `news.textContent = frames[0].document.querySelector('p').textContent = '${word}'`);
    await soon(() => told['plain']?.some((push) => push.includes(word)) ?? false);
  }
  await ask(asking, 'hello', { protocol: 1 });

  expect([opened.ok, told['asking']?.length]).toEqual([true, before]);
}, 60_000);
