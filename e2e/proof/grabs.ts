import { setTimeout } from 'node:timers/promises';
import { TEST_KEY } from '@/server/testing/server';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import type { Campaign } from './campaign';
import { person, type Person } from './person';
import type { Ground } from './ground';
import type { Random } from './random';

const SOCKETS = 200;
/** Connections that one address may make at once, and then one in so many milliseconds (security.md 1.8). */
const AT_ONCE = 10;
const HANDSHAKE_MS = 120;
/** Times that all of them grab in one round. */
const GRABS = 2;
const WORD = 'wwwww';

interface Contest {
  readonly ground: Ground;
  readonly session: string;
  readonly owner: Person;
  readonly clients: readonly Client[];
}

/** As fast as one address may connect. Whoever has had an answer is there: then all are let loose in one tick. */
async function crowd(ground: Ground): Promise<Client[]> {
  const clients: Client[] = [];
  for (let index = 0; index < SOCKETS; index += 1) {
    const client = connectClient(ground.server.origin, { auth: { key: TEST_KEY, agent: `grabber ${index}` } });
    clients.push(client);
    if (index >= AT_ONCE) await setTimeout(HANDSHAKE_MS);
  }
  await Promise.all(clients.map((client) => ask(client, 'hello', { protocol: 1 })));
  return clients;
}

/** An agent types, a person takes the wheel and lets go, everybody grabs, and everybody types at once, whether they got it or not. */
async function grabOnce({ ground, session, owner, clients }: Contest, random: Random): Promise<string | undefined> {
  await ground.act(session, { kind: 'evaluate', fn: '() => { document.querySelector("#f").value = ""; document.querySelector("#f").focus(); }' });
  const typing = ground.act(session, { kind: 'type', selector: '#f', text: 'h'.repeat(500), slowly: true, timeoutMs: 60_000 });
  await ground.act(session, { kind: 'wait', timeMs: random.between(100, 300) });
  await owner.control(session, { do: 'take' });
  const stopped = await typing;
  await owner.control(session, { do: 'release' });
  const answers = await Promise.all(
    clients.map(async (client) => {
      const grabbed = ask(client, 'control', { session, tab: 't1', do: 'take' });
      const typed = ask(client, 'act', { session, tab: 't1', action: { kind: 'type', selector: '#f', text: WORD, mode: 'append', timeoutMs: 60_000 } });
      return { grab: await grabbed, act: await typed };
    }),
  );
  const won = answers.flatMap(({ grab }) => (grab.ok ? [grab.data.control.holder?.name ?? ''] : []));
  const acted = answers.filter(({ act }) => act.ok && act.data.ok);
  const misled = answers.filter(({ grab }) => !grab.ok && (grab.error.code !== 'CONTROL_HELD' || !grab.error.message.includes(won[0] ?? '')));
  const text = await ground.inside(session).activeSeat().tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'document.querySelector("#f").value', returnByValue: true });
  await Promise.all(clients.map((client) => ask(client, 'control', { session, tab: 't1', do: 'release' })));
  if (stopped.error?.code !== 'CONTROL_LOST') return `who typed was told ${stopped.error?.code ?? 'ok'}`;
  if (won.length !== 1 || acted.length !== 1) return `${won.length} got the wheel and ${acted.length} typed`;
  if (misled.length > 0) return `${misled.length} of ${SOCKETS} were not told who has the wheel`;
  return /^h+w{5}$/.test(String(text.result.value)) ? undefined : `the field holds ${JSON.stringify(text.result.value)}`;
}

/** F22: two hundred who grab in one tick, while another types: one gets the wheel, the others are told who, and the text shows no interleaving. */
export const grabs: Campaign = {
  id: 'F22',
  about: `${SOCKETS} sockets grab the wheel in one tick, ${GRABS} times: one wins, the others are told who, nobody types between`,
  full: 100,
  round: async (ground, random) => {
    const session = await ground.session();
    const clients = await crowd(ground);
    try {
      const owner = await person(ground);
      for (let grab = 0; grab < GRABS; grab += 1) {
        const problem = await grabOnce({ ground, session, owner, clients }, random);
        if (problem !== undefined) return problem;
      }
      return undefined;
    } finally {
      for (const client of clients) client.disconnect();
      await ground.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};
