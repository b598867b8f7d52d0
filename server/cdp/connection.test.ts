import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { CdpConnection } from './connection';

let wire: WebSocketServer | undefined;

afterEach(() => wire?.close());

/** A connection to something that answers every command with `answer`: no Chrome does this, a proxy in between may. */
async function connectTo(answer: string): Promise<CdpConnection> {
  wire = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  wire.on('connection', (socket) => socket.on('message', () => socket.send(answer)));
  await once(wire, 'listening');
  const address = wire.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  const budget = createBudget({ timeoutMs: 5_000, clock: monotonicClock });
  const connection = await CdpConnection.open(budget, `ws://127.0.0.1:${address.port}`, { lane: 'commands' });
  budget.dispose();
  return connection;
}

describe('a message that is not JSON', () => {
  it.each(['{"id":1,"result":', 'Service unavailable', ''])('[F30] ends the connection with the reason instead of throwing into the socket: %j', async (answer) => {
    const connection = await connectTo(answer);
    const pending = connection.browser.send('Browser.getVersion');

    await expect(pending).rejects.toMatchObject({ code: 'BROWSER_DOWN', message: 'Chrome sent something that is not JSON.' });
    expect(connection.browser.ended).toMatchObject({ code: 'BROWSER_DOWN' });
  });
});
