import { WebSocketServer, type WebSocket } from 'ws';
import type { RawCast } from './raw-cast';

/** The baseline of relaying: every picture to every plain WebSocket, a line of JSON before it, one message back. */
export async function openRawRelay(cast: RawCast): Promise<{ port: number; close: () => void }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const unacknowledged = new Map<WebSocket, number>();
  server.on('connection', (socket) => {
    unacknowledged.set(socket, 0);
    socket.on('message', () => unacknowledged.set(socket, 0));
    socket.on('close', () => unacknowledged.delete(socket));
  });
  let seq = 0;
  cast.onPicture((picture) => {
    const meta = JSON.stringify({ seq: (seq += 1), width: 1280, height: 720, scrollX: 0, scrollY: 0 });
    for (const [socket, waiting] of unacknowledged) {
      if (waiting > 0) continue;
      unacknowledged.set(socket, waiting + 1);
      socket.send(meta);
      socket.send(picture);
    }
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
