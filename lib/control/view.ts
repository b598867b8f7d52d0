import type { ControlView } from '@/lib/protocol/views';
import type { Lease } from './lease';

/** How a lease is shown. `toClock` turns monotonic milliseconds into ISO 8601 for people; `now` is monotonic too. */
export function controlView(lease: Lease, toClock: (monotonicMs: number) => string, now: number): ControlView {
  const base = { state: lease.state, epoch: lease.epoch, since: toClock(lease.since), reason: lease.reason };
  switch (lease.state) {
    case 'free':
      return { ...base, holder: null, takenFrom: null };
    case 'held':
      return { ...base, holder: lease.holder, takenFrom: lease.takenFrom ?? null, ...(lease.parkedUntil === undefined ? {} : { parkedMs: Math.max(0, Math.round(lease.parkedUntil - now)) }) };
    case 'draining':
      return { ...base, holder: lease.to ?? null, takenFrom: lease.from.kind === 'agent' ? lease.from : null };
  }
}
