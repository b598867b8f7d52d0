import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { CROWDED_BYTES } from './pages';
import { orderSchema, type ViewerOrder } from './viewer-orders';
import { forMs } from './wait';

/** Runs in a process of its own, so that the cost of viewers is not counted as the server's. */

interface Watcher {
  count: number;
  onPicture: (bytes: number) => void;
  press(): void;
  close(): void;
}

let watchers: Watcher[] = [];

function openSocketIo(port: number, stalled: boolean): Promise<Watcher> {
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true, reconnection: false });
  const watcher: Watcher = {
    count: 0,
    onPicture: () => undefined,
    press: () => socket.emit('press', { x: 600, y: 300 }),
    close: () => socket.disconnect(),
  };
  socket.on('frame', (_meta: unknown, picture: ArrayBuffer, painted: () => void) => {
    watcher.count += 1;
    watcher.onPicture(picture.byteLength);
    if (!stalled) painted();
  });
  socket.on('connect', () => socket.emit('stream.open', { tier: 'standard' }));
  return new Promise((resolve) => socket.once('frame', () => resolve(watcher)));
}

/** The plain protocol: two messages per picture, one byte back. */
function openWs(port: number): Promise<Watcher> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  const watcher: Watcher = {
    count: 0,
    onPicture: () => undefined,
    press: () => undefined,
    close: () => socket.close(),
  };
  socket.on('message', (_data, isBinary) => {
    if (!isBinary) return;
    watcher.count += 1;
    socket.send('1');
  });
  return new Promise((resolve) => socket.once('message', () => resolve(watcher)));
}

async function open({ port, viewers, stalled, kind }: Extract<ViewerOrder, { do: 'open' }>): Promise<number[]> {
  const opening = Array.from({ length: viewers }, (_, index) =>
    kind === 'ws' ? openWs(port) : openSocketIo(port, index < stalled),
  );
  watchers = await Promise.all(opening);
  return [];
}

async function count(ms: number): Promise<number[]> {
  const before = watchers.map((watcher) => watcher.count);
  const startedAt = performance.now();
  await forMs(ms);
  const seconds = (performance.now() - startedAt) / 1_000;
  return watchers.map((watcher, index) => (watcher.count - (before[index] ?? 0)) / seconds);
}

async function press(times: number, pauseMs: number): Promise<number[]> {
  const [watcher] = watchers;
  const samples: number[] = [];
  for (let index = 0; watcher && index < times; index += 1) {
    await forMs(pauseMs * (0.8 + Math.random() * 0.4));
    const crowded = index % 2 === 0;
    const startedAt = performance.now();
    const seen = new Promise<void>((resolve) => {
      watcher.onPicture = (bytes) => {
        if (bytes > CROWDED_BYTES === crowded) resolve();
      };
    });
    watcher.press();
    await seen;
    samples.push(performance.now() - startedAt);
  }
  return samples;
}

function obey(order: ViewerOrder): Promise<number[]> {
  if (order.do === 'open') return open(order);
  if (order.do === 'count') return count(order.ms);
  if (order.do === 'press') return press(order.times, order.pauseMs);
  for (const watcher of watchers) watcher.close();
  watchers = [];
  return Promise.resolve([]);
}

process.on('message', (message) => {
  void obey(orderSchema.parse(message)).then((figures) => process.send?.({ figures }));
});
