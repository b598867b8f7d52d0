import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';

export interface DevtoolsForwarder {
  /** `http://host:port`, the address to attach to. */
  readonly cdpUrl: string;
  close(): void;
}

/** Changes a message of the Chrome behind; undefined withholds it. */
export type MessageRewrite = (message: string) => string | undefined;

/**
 * A forwarder in front of a Chrome's debugging port, with an address of its own: answers `/json/version` itself, and
 * passes the WebSockets on.
 */
export async function startDevtoolsForwarder(
  wsUrl: string,
  rewrite: MessageRewrite = (message) => message,
): Promise<DevtoolsForwarder> {
  let port = 0;
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ Browser: 'Forwarded/1', webSocketDebuggerUrl: `ws://127.0.0.1:${port}/forwarded/${port}` }),
      );
  });
  const doors = new WebSocketServer({ server });
  doors.on('connection', (client) => {
    const chrome = new WebSocket(wsUrl, { perMessageDeflate: false });
    const waiting: string[] = [];
    const end = (): void => [client, chrome].forEach((one) => one.terminate());
    client.on('message', (data: Buffer) =>
      chrome.readyState === WebSocket.OPEN ? chrome.send(data.toString('utf8')) : waiting.push(data.toString('utf8')),
    );
    chrome.on('open', () => waiting.splice(0).forEach((one) => chrome.send(one)));
    chrome.on('message', (data: Buffer) => {
      const message = rewrite(data.toString('utf8'));
      if (message !== undefined) client.send(message);
    });
    for (const one of [client, chrome]) one.on('close', end).on('error', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  port = address.port;
  return {
    cdpUrl: `http://127.0.0.1:${port}`,
    close: () => {
      for (const client of doors.clients) client.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}
