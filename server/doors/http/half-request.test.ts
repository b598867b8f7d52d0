import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { endSessions, sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

/** Connections that end before the request is whole (F7, F30). */

let server: TestServer;
beforeAll(async () => {
  server = await sharedTestServer();
});
afterAll(() => server.close());

/** Sends the head of a request with half of its body, and goes. */
async function half(method: string, path: string, type: string): Promise<void> {
  const { port, host } = new URL(server.origin);
  const socket = connect(Number(port), '127.0.0.1');
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TEST_KEY}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n`;
  await new Promise((sent) => socket.write(`${head}{"kind":"click"`, sent));
  // Until the server has begun to read it.
  await server.api('GET', '/api/v1/sessions');
  socket.destroy();
  await once(socket, 'close');
}

it('[F7][F30] counts as no fault of the server, does nothing and is not stored', async () => {
  const faults = async () => (await server.running.services.metrics.totals())['wheelhouse_faults_total'] ?? 0;
  const before = await faults();
  const { id } = await server.session();
  onTestFinished(() => endSessions(server, [id]));
  for (let time = 0; time < 5; time += 1) {
    await half('POST', `/api/v1/sessions/${id}/tabs/t1/act`, 'application/json');
    await half('POST', '/api/v1/sessions', 'application/json');
    await half('PUT', `/api/v1/sessions/${id}/files/half.txt`, 'application/octet-stream');
  }
  const files = await server.api('GET', `/api/v1/sessions/${id}/files`);
  const sessions = await server.api('GET', '/api/v1/sessions');

  expect([files.body, Array.isArray(sessions.body) && sessions.body.length, await faults()]).toEqual([[], 1, before]);
});
