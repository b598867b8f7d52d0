import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { z } from 'zod';
import { monotonicClock } from '@/lib/budget/clock';
import type { FrameMeta } from '@/lib/protocol/views';
import { createLogger } from '@/server/telemetry/logger';
import { TabStreams } from '@/server/features/streams/tab-streams';
import { qualityOf } from '@/lib/stream/quality';
import type { PageFixture, FixturePage } from '@/server/testing/page-fixture';

const requestSchema = z.object({ tier: z.enum(['standard', 'high', 'auto']) });
const pressSchema = z.object({ x: z.number(), y: z.number() });

export interface Relay {
  readonly port: number;
  readonly streams: TabStreams;
  /** Pictures taken since it was opened. */
  captured(): number;
  close(): Promise<void>;
}

/**
 * The path from Chrome to viewers as in the server: one capture, a viewer per socket, Socket.IO with the server's
 * configuration.
 *
 * @param onSent called for each picture that is sent
 */
export async function openRelay(
  fixture: PageFixture,
  page: FixturePage,
  onSent?: (meta: FrameMeta) => void,
): Promise<Relay> {
  let captured = 0;
  const streams = new TabStreams({
    tabId: 't1',
    clock: monotonicClock,
    logger: createLogger({ logLevel: 'silent' }),
    counters: { frame: (step) => (captured += step === 'captured' ? 1 : 0) },
    attach: () => fixture.pictures.attach(page.targetId),
    detach: (session) => fixture.pictures.detach(session),
    secrets: { look: () => Promise.reject(new Error('no guests here')), painted: () => Promise.resolve() },
  });
  const http = createServer();
  const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, serveClient: false });
  io.on('connection', (socket) => {
    socket.on('stream.open', (request: unknown) => {
      const { tier } = requestSchema.parse(request);
      const stream = streams.open({
        stream: socket.id,
        quality: qualityOf(tier),
        gate: () => undefined,
        send: (meta, picture, painted) => {
          onSent?.(meta);
          socket.emit('frame', meta, picture, painted);
        },
        status: (status) => socket.emit('stream.status', status),
      });
      socket.on('disconnect', () => stream.close());
    });
    socket.on('press', (point: unknown) => {
      const at = { ...pressSchema.parse(point), button: 'left', clickCount: 1 } as const;
      void page.session.sendMayFail('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
      void page.session.sendMayFail('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
    });
  });
  const port = await new Promise<number>((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    port,
    streams,
    captured: () => captured,
    close: async () => {
      streams.dispose();
      await io.close();
    },
  };
}
