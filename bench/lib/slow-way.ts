import { connect, createServer, type Socket } from 'node:net';

/** A TCP way on loopback that delivers everything `delayMs` later in each direction, in order. */
export async function openSlowWay(toPort: number, delayMs: number): Promise<{ port: number; close: () => void }> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(toPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => setTimeout(() => to.write(chunk), delayMs));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
