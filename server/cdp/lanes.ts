import { z } from 'zod';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { CdpConnection, type ConnectionOptions } from './connection';

/** The ways to one Chrome (architecture.md, "Lanes"): none of them waits for another. What pages say without end comes by `events` (F25). */
export const LANES = ['commands', 'pictures', 'evaluate', 'bulk', 'events'] as const;
export type LaneName = (typeof LANES)[number];
export type Lanes = Readonly<Record<LaneName, CdpConnection>>;

const versionSchema = z.object({ webSocketDebuggerUrl: z.string(), Browser: z.string() });

/** Finds the browser WebSocket of an `http://host:port` or `ws://…` CDP address (BR3). Throws BROWSER_DOWN or BAD_REQUEST. */
export async function resolveCdpUrl(budget: Budget, address: string): Promise<string> {
  const url = parseCdpAddress(address);
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return url.href;
  const endpoint = new URL('/json/version', url);
  const version = await readVersion(budget, endpoint);
  const socket = new URL(version.webSocketDebuggerUrl);
  socket.host = url.host;
  return socket.href;
}

/** Throws BROWSER_DOWN that tells nobody answering from somebody else answering. */
async function readVersion(budget: Budget, endpoint: URL): Promise<z.infer<typeof versionSchema>> {
  const { origin, href } = endpoint;
  let code: 'noChromeAt' | 'notDevtools' = 'noChromeAt';
  try {
    const response = await fetch(endpoint, { signal: budget.signal });
    code = 'notDevtools';
    return versionSchema.parse(await response.json());
  } catch (error) {
    budget.check();
    const details = { tried: href, error: rootOf(error) };
    throw new WheelhouseError('BROWSER_DOWN', { code, origin, tried: `GET ${href}` }, { hint: { code: 'attachCure' }, details, cause: error });
  }
}

/** `fetch failed` says nothing: what failed is its cause. */
function rootOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : messageOf(error);
}

function parseCdpAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && ['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) return url;
  throw new WheelhouseError('BAD_REQUEST', { code: 'notCdpAddress', address }, { hint: { code: 'cdpFormsCure' }, details: { fields: [{ field: 'cdpUrl', problem: 'is not a CDP address' }] } });
}

/** Opens all lanes, or none. */
export async function openLanes(budget: Budget, wsUrl: string, telling: Omit<ConnectionOptions, 'lane'>): Promise<Lanes> {
  const opening = LANES.map((lane) => CdpConnection.open(budget, wsUrl, { ...telling, lane }));
  const settled = await Promise.allSettled(opening);
  const [commands, pictures, evaluate, bulk, events] = settled.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  if (commands && pictures && evaluate && bulk && events) return { commands, pictures, evaluate, bulk, events };
  for (const lane of [commands, pictures, evaluate, bulk, events]) lane?.close();
  const failed = settled.find((result) => result.status === 'rejected');
  throw failed?.reason;
}

export function closeLanes(lanes: Lanes): void {
  for (const lane of LANES) lanes[lane].close();
}
