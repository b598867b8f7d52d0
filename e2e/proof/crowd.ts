import { setTimeout } from 'node:timers/promises';
import { TEST_KEY } from '@/server/testing/server';
import { connectClient, type Client } from '@/server/testing/socket-client';
import type { CampaignFixture } from './campaign-fixture';

/** Connections that one address may make at once, and then one in so many milliseconds (security.md 1.8). */
const AT_ONCE = 10;
const HANDSHAKE_MS = 120;

const crowds = new WeakMap<CampaignFixture, Client[]>();
/** Each is another agent, also one that comes in the place of another. */
let names = 0;

/**
 * So many agents, each with a connection of its own; the same ones as long as the ground is there and they are
 * connected. As fast as one address may connect. Who is refused, as on a slow machine whose timers bunch, tries again:
 * then all can be let loose in one tick.
 */
export async function crowd(fixture: CampaignFixture, sockets: number): Promise<Client[]> {
  const clients = (crowds.get(fixture) ?? []).filter((client) => client.connected);
  crowds.set(fixture, clients);
  while (clients.length < sockets) {
    names += 1;
    const client = connectClient(fixture.server.origin, { auth: { key: TEST_KEY, agent: `grabber ${names}` } });
    if (await connected(client)) clients.push(client);
    else client.disconnect();
    if (clients.length >= AT_ONCE) await setTimeout(HANDSHAKE_MS);
  }
  return clients;
}

/** Whether the server let it in. */
export function connected(client: Client): Promise<boolean> {
  return new Promise((resolve) => {
    client.once('connect', () => resolve(true));
    client.once('connect_error', () => resolve(false));
  });
}

export interface LostCall {
  readonly lost: string;
}

/** The answer, or why it was lost with the connection. */
export async function orLost<T>(client: Client, work: Promise<T>): Promise<T | LostCall> {
  let off = (): void => undefined;
  const lost = new Promise<LostCall>((resolve) => {
    const gone = (why: unknown): void => resolve({ lost: String(why) });
    if (!client.connected) gone('not connected');
    client.once('disconnect', gone).once('connect_error', gone);
    off = () => void client.off('disconnect', gone).off('connect_error', gone);
  });
  try {
    return await Promise.race([work, lost]);
  } finally {
    off();
  }
}
