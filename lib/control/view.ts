import type { ControlView } from '@/lib/protocol/views';
import type { Lease } from './lease';

/** How a lease is shown. `toClock` turns monotonic milliseconds into ISO 8601 for people. */
export function controlView(lease: Lease, toClock: (monotonicMs: number) => string): ControlView {
  const base = { state: lease.state, epoch: lease.epoch, since: toClock(lease.since), reason: lease.reason };
  switch (lease.state) {
    case 'free':
      return { ...base, holder: null, takenFrom: null };
    case 'held':
      return { ...base, holder: lease.holder, takenFrom: lease.takenFrom ?? null };
    case 'draining':
      return { ...base, holder: lease.to ?? null, takenFrom: lease.from.kind === 'agent' ? lease.from : null };
  }
}
