import { setTimeout } from 'node:timers/promises';
import { TEST_KEY } from '@/server/testing/server';
import { connectClient, type Client } from '@/server/testing/socket-client';
import type { CampaignFixture } from './campaign-fixture';

/** Connections that one address may open at once, then one per interval in milliseconds (AU6). */
const AT_ONCE = 10;
const HANDSHAKE_MS = 120;

const crowds = new WeakMap<CampaignFixture, Client[]>();
/** Every client is a new agent, also one that replaces another. */
let names = 0;

/**
 * So many agents with a connection each; reuses those that are still connected on this fixture. Connects as fast as one
 * address may; a refused client tries again, so that all can start in one tick.
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

/** Whether the server accepted the connection. */
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
