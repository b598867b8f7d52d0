import { connect, createServer, type Socket } from 'node:net';

/** How slow a connection is in each direction. */
export interface Slowness {
  readonly delayMs: number;
  /** As fast as the machine when absent. */
  readonly bytesPerMs?: number;
}

/**
 * A TCP forwarder on loopback that delivers everything later in each direction, in order. It reads no more than the
 * link carries, so that data waits with the sender, as in a network.
 */
export async function openSlowWay(toPort: number, slow: Slowness): Promise<{ port: number; close: () => void }> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(toPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      forward(from, to, slow);
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

function forward(from: Socket, to: Socket, { delayMs, bytesPerMs }: Slowness): void {
  const deliver = (chunk: Buffer): void => void setTimeout(() => to.write(chunk), delayMs);
  from.on('data', (chunk) => {
    if (bytesPerMs === undefined) return deliver(chunk);
    from.pause();
    setTimeout(() => {
      from.resume();
      deliver(chunk);
    }, chunk.length / bytesPerMs);
  });
}
