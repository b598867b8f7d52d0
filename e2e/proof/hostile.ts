import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '@/lib/errors/error';
import { TEST_KEY } from '@/server/testing/server';
import { connectClient, emitTo, type Client } from '@/server/testing/socket-client';
import type { Campaign } from './campaign';
import { inDataDir } from './data-dir';
import type { CampaignFixture } from './campaign-fixture';
import { hostileMessage } from './hostile-message';
import type { Random } from './random';
import { ServerProcess } from './server-process';

/** Most memory that the second flood may add to that of the first, bytes. */
const GROWTH = 64 * 1_048_576;
const FULL = 70_000;
const SMALL = 600;
/** Number of readings of the memory, a second apart, of which the least counts. */
const LOOKS = 6;
const FEW_LOOKS = 2;
/** Number of names under which the one agent appears: each may send so many messages a second. */
const NAMES = 48;
/** Connections at a time, fewer than one address may open in a moment. */
const SOCKETS = 8;
/** Messages of one connection that are under way, then messages before it changes its name. */
const AHEAD = 50;
const TERM = 100;
/** Most time to wait for an answer; a message without one was dropped with its connection. */
const ANSWER_MS = 20_000;

/** T11: messages of a hostile client are answered or refused, and leave nothing behind that grows. */
export const hostile: Campaign = {
  id: 'T11',
  about: `a second ${FULL} mutated messages add at most 64 MB to the memory after the first, and the server goes on`,
  full: 1,
  bare: true,
  round: (fixture, random) => floods(fixture, random, FULL, LOOKS),
  inSmall: (fixture, random) => floods(fixture, random, SMALL, FEW_LOOKS),
};

function floods(
  fixture: CampaignFixture,
  random: Random,
  messages: number,
  looks: number,
): Promise<string | undefined> {
  return inDataDir(async (dataDir, servers) => {
    const server = await ServerProcess.start(dataDir, { LIMITS: 'requests=100000 sockets-name=100 sockets=400' });
    servers.push(server);
    const { id } = await server.open(fixture.pageUrl);
    await server.memory();
    await flood(fixture, server, random, id, messages);
    const first = await atRest(server, looks);
    await flood(fixture, server, random, id, messages);
    const second = await atRest(server, looks);
    const [before, after] = [first, second].map(
      ({ rss, heap }) => `${megabytes(rss)} MB (${megabytes(heap)} of objects)`,
    );
    fixture.count(`MB of objects more after the second`, megabytes(second.heap - first.heap));
    fixture.count(`MB more after the second`, megabytes(second.rss - first.rss));
    const reply = await server.act(id, { kind: 'snapshot' });
    if (!reply.ok)
      return `after the floods a snapshot was answered ${reply.error?.code ?? ''}: ${reply.error?.message ?? ''}`;
    return second.rss - first.rss > GROWTH || second.heap - first.heap > GROWTH
      ? `after the first flood the server had ${before ?? ''}, after the second ${after ?? ''}`
      : undefined;
  });
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

/** Memory that cannot be reclaimed once the last messages' work has ended: the least of several readings. */
async function atRest(server: ServerProcess, looks: number): Promise<{ rss: number; heap: number }> {
  let least = await server.memory();
  for (let look = 0; look < looks; look += 1) {
    await setTimeout(1_000);
    const now = await server.memory();
    least = { rss: Math.min(least.rss, now.rss), heap: Math.min(least.heap, now.heap) };
  }
  return least;
}

async function flood(
  fixture: CampaignFixture,
  server: ServerProcess,
  random: Random,
  session: string,
  messages: number,
): Promise<void> {
  let left = messages;
  let name = 0;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      name += 1;
      const some = Math.min(TERM, left);
      left -= some;
      const sent = await oneConnection(fixture, server, random, session, `hostile-${name % NAMES}`, some);
      left += some - sent;
    }
  };
  await Promise.all(Array.from({ length: SOCKETS }, lane));
}

/** Returns the number of messages that were sent: the server may close the connection before the last. */
async function oneConnection(
  fixture: CampaignFixture,
  server: ServerProcess,
  random: Random,
  session: string,
  agent: string,
  messages: number,
): Promise<number> {
  const client = connectClient(server.origin, { auth: { key: TEST_KEY, agent } });
  try {
    await connected(client);
  } catch (error) {
    fixture.count(`refused at the door (${messageOf(error)})`);
    await setTimeout(500);
    return 0;
  }
  let sent = 0;
  try {
    while (sent < messages && client.connected) {
      const some = Math.min(AHEAD, messages - sent);
      await Promise.all(Array.from({ length: some }, () => oneMessage(fixture, client, random, session)));
      sent += some;
    }
  } finally {
    client.disconnect();
  }
  return sent;
}

function connected(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.on('connect', resolve);
    client.on('connect_error', reject);
  });
}

/** Settles with the answer, or when it is clear that none will come. */
function oneMessage(fixture: CampaignFixture, client: Client, random: Random, session: string): Promise<void> {
  const { event, payload } = hostileMessage(random, session);
  fixture.count('messages');
  return new Promise((resolve) => {
    const done = (how: string): void => {
      clearTimeout(late);
      client.off('disconnect', cut);
      fixture.count(how);
      resolve();
    };
    const cut = (): void => done('cut off');
    const late = startTimer(() => done('never answered'), ANSWER_MS);
    client.on('disconnect', cut);
    emitTo(client, event, payload, (answer: { ok: boolean; error?: { code: string } }) =>
      done(answer.ok ? 'done' : (answer.error?.code ?? 'refused')),
    );
  });
}
