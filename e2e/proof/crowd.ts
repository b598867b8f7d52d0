import { setTimeout } from 'node:timers/promises';
import { TEST_KEY } from '@/server/testing/server';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import type { Ground } from './ground';

/** Connections that one address may make at once, and then one in so many milliseconds (security.md 1.8). */
const AT_ONCE = 10;
const HANDSHAKE_MS = 120;

const crowds = new WeakMap<Ground, Promise<Client[]>>();

/** So many agents, each with a connection of its own; the same ones as long as the ground is there. */
export function crowd(ground: Ground, sockets: number): Promise<Client[]> {
  const there = crowds.get(ground) ?? gather(ground, sockets);
  crowds.set(ground, there);
  return there;
}

/** As fast as one address may connect. Whoever has had an answer is there: then all can be let loose in one tick. */
async function gather(ground: Ground, sockets: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let index = 0; index < sockets; index += 1) {
    const client = connectClient(ground.server.origin, { auth: { key: TEST_KEY, agent: `grabber ${index}` } });
    clients.push(client);
    if (index >= AT_ONCE) await setTimeout(HANDSHAKE_MS);
  }
  await Promise.all(clients.map((client) => ask(client, 'hello', { protocol: 1 })));
  return clients;
}
