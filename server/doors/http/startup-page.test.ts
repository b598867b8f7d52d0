import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { failureSchema } from './answers';
import { answerEarly } from './startup-page';

it('[DO1][OP3] until the server is ready a program gets a documented error, a browser a sentence, and both when to come again', async () => {
  const server = createServer();
  answerEarly(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  const [api, page] = await Promise.all([
    fetch(`${origin}/api/v1/sessions/s_1/tabs/t1/control/wait`),
    fetch(`${origin}/sessions/s_1`),
  ]);
  const { error } = failureSchema.parse(await api.json());
  const line = await page.text();
  server.close();

  expect([api.status, page.status, api.headers.get('retry-after'), line]).toEqual([
    503,
    503,
    '1',
    'Wheelhouse is starting.\n',
  ]);
  expect(error).toMatchObject({
    code: 'STORE_BUSY',
    retry: 'later',
    message: 'Wheelhouse is starting; its sessions are not there yet.',
  });
});
