import { z } from 'zod';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { CdpConnection, type ConnectionOptions } from './connection';

/** The four ways to one Chrome (architecture.md, "Lanes"): none of them waits for another. */
export const LANES = ['commands', 'pictures', 'evaluate', 'bulk'] as const;
export type LaneName = (typeof LANES)[number];
export type Lanes = Readonly<Record<LaneName, CdpConnection>>;

const versionSchema = z.object({ webSocketDebuggerUrl: z.string(), Browser: z.string() });

/** Finds the browser WebSocket of an `http://host:port` or `ws://…` CDP address (BR3). Throws BROWSER_DOWN or BAD_REQUEST. */
export async function resolveCdpUrl(budget: Budget, address: string): Promise<string> {
  const url = parseCdpAddress(address);
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return url.href;
  const endpoint = new URL('/json/version', url);
  try {
    const response = await fetch(endpoint, { signal: budget.signal });
    const version = versionSchema.parse(await response.json());
    const socket = new URL(version.webSocketDebuggerUrl);
    socket.host = url.host;
    return socket.href;
  } catch (error) {
    budget.check();
    throw new WheelhouseError('BROWSER_DOWN', `No Chrome answers at ${endpoint.origin}: ${messageOf(error)}`, {
      hint: 'Start Chrome with --remote-debugging-port and use that port.',
      cause: error,
    });
  }
}

function parseCdpAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && ['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) return url;
  throw new WheelhouseError('BAD_REQUEST', `"cdpUrl" is not a CDP address: ${address.slice(0, 200)}`, {
    hint: 'Use http://127.0.0.1:9222 or the ws:// address that Chrome printed.',
  });
}

/** Opens all lanes, or none. */
export async function openLanes(budget: Budget, wsUrl: string, telling: Omit<ConnectionOptions, 'lane'>): Promise<Lanes> {
  const opening = LANES.map((lane) => CdpConnection.open(budget, wsUrl, { ...telling, lane }));
  const settled = await Promise.allSettled(opening);
  const [commands, pictures, evaluate, bulk] = settled.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  if (commands && pictures && evaluate && bulk) return { commands, pictures, evaluate, bulk };
  for (const lane of [commands, pictures, evaluate, bulk]) lane?.close();
  const failed = settled.find((result) => result.status === 'rejected');
  throw failed?.reason;
}

export function closeLanes(lanes: Lanes): void {
  for (const lane of LANES) lanes[lane].close();
}
