import type { Budget } from '@/lib/budget/budget';
import { CdpConnection, type ConnectionOptions } from './connection';

/**
 * The sockets to one Chrome, so that none of them waits for another. Console and network events, which a page can
 * produce without end, come by `events` (F25).
 */
export const LANES = ['commands', 'pictures', 'evaluate', 'bulk', 'events'] as const;
export type LaneName = (typeof LANES)[number];
export type Lanes = Readonly<Record<LaneName, CdpConnection>>;

/** Opens all lanes, or none. */
export async function openLanes(
  budget: Budget,
  wsUrl: string,
  telling: Omit<ConnectionOptions, 'lane'>,
): Promise<Lanes> {
  const opening = LANES.map((lane) => CdpConnection.open(budget, wsUrl, { ...telling, lane }));
  const settled = await Promise.allSettled(opening);
  const [commands, pictures, evaluate, bulk, events] = settled.map((result) =>
    result.status === 'fulfilled' ? result.value : undefined,
  );
  if (commands && pictures && evaluate && bulk && events) return { commands, pictures, evaluate, bulk, events };
  for (const lane of [commands, pictures, evaluate, bulk, events]) lane?.close();
  const failed = settled.find((result) => result.status === 'rejected');
  throw failed?.reason;
}

export function closeLanes(lanes: Lanes): void {
  for (const lane of LANES) lanes[lane].close();
}
