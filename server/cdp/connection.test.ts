import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { CdpConnection } from './connection';

let wire: WebSocketServer | undefined;

afterEach(() => wire?.close());

/** A connection to something that answers every command with `answers`: no Chrome does this, a proxy in between may. */
async function connectTo(...answers: string[]): Promise<CdpConnection> {
  wire = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  wire.on('connection', (socket) => socket.on('message', () => answers.forEach((answer) => socket.send(answer))));
  await once(wire, 'listening');
  const address = wire.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  const budget = createBudget({ timeoutMs: 5_000, clock: monotonicClock });
  const connection = await CdpConnection.open(budget, `ws://127.0.0.1:${address.port}`, { lane: 'commands' });
  budget.dispose();
  return connection;
}

describe('a message that is not JSON', () => {
  it.each(['{"id":1,"result":', 'Service unavailable', ''])(
    '[F30] ends the connection with the reason instead of throwing into the socket: %j',
    async (answer) => {
      const connection = await connectTo(answer);
      const pending = connection.browser.send('Browser.getVersion');

      await expect(pending).rejects.toMatchObject({
        code: 'BROWSER_DOWN',
        message: 'Chrome sent something that is not JSON.',
      });
      expect(connection.browser.ended).toMatchObject({ code: 'BROWSER_DOWN' });
    },
  );
});

describe('an event that a page may send without end', () => {
  it('[F25] is announced before it is parsed, and not parsed when a listener handles it; other events are', async () => {
    const flood =
      '{"method":"Runtime.consoleAPICalled","params":{"type":"log" and this is not even JSON},"sessionId":"S1"}';
    const other = '{"method":"Page.frameDetached","params":{"frameId":"F1","reason":"remove"},"sessionId":"S1"}';
    const connection = await connectTo(flood, flood, other);
    const session = connection.adopt('S1', 'T1');
    const filtered: string[] = [];
    session.eventFilter = (method, data) => filtered.push(`${method} ${data.byteLength}`) > 0;
    const heard = new Promise((resolve) => session.on('Page.frameDetached', resolve));
    void connection.browser.sendMayFail('Browser.getVersion');

    expect(await heard).toEqual({ frameId: 'F1', reason: 'remove' });
    expect([filtered, connection.browser.ended]).toEqual([
      Array.from({ length: 2 }, () => `Runtime.consoleAPICalled ${flood.length}`),
      undefined,
    ]);
    connection.close();
  });

  it.each(['Debugger.scriptParsed', 'Debugger.scriptFailedToParse'])(
    '[F25] is not parsed when nobody listens: %s, with a source-map address of any length',
    async (method) => {
      const script = `{"method":"${method}","params":{"sourceMapURL":"data:${'x'.repeat(3_000_000)}, and this is not even JSON},"sessionId":"S1"}`;
      const connection = await connectTo(
        script,
        script.replace(',"sessionId":"S1"', ''),
        '{"method":"Debugger.paused","params":{"callFrames":[],"reason":"other"},"sessionId":"S1"}',
      );
      const session = connection.adopt('S1', 'T1');
      const oversized: string[] = [];
      session.onOversized((one) => oversized.push(one));
      const heard = new Promise((resolve) => session.on('Debugger.paused', resolve));
      void connection.browser.sendMayFail('Browser.getVersion');

      expect(await heard).toEqual({ callFrames: [] });
      expect([oversized, connection.browser.ended]).toEqual([[], undefined]);
      connection.close();
    },
  );
});
