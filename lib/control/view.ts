import type { ControlView } from '@/lib/protocol/views';
import { helpRequestView, type OpenHelpRequest } from '@/lib/help/help-request';
import type { Lease } from './lease';
import { privateHoldOf } from './rules';

/**
 * The lease as clients see it. `toClock` turns monotonic milliseconds into ISO 8601; `now` is monotonic. A requested or
 * parked lease is shown as held, with what comes next. `questions`: open help requests of this tab (CO6).
 */
export function controlView(
  lease: Lease,
  toClock: (monotonicMs: number) => string,
  now: number,
  questions: readonly OpenHelpRequest[] = [],
): ControlView {
  const asked =
    questions.length === 0 ? {} : { questions: questions.map((question) => helpRequestView(question, now)) };
  const base = {
    epoch: lease.epoch,
    since: toClock(lease.since),
    reason: lease.reason,
    ...asked,
    ...privateView(lease, toClock),
  };
  switch (lease.state) {
    case 'free':
      return { ...base, state: 'free', holder: null, takenFrom: null };
    case 'draining':
      return {
        ...base,
        state: 'draining',
        holder: lease.to ?? null,
        takenFrom: lease.back ?? (lease.from.kind === 'agent' && lease.to?.kind !== 'human' ? lease.from : null),
      };
    case 'held':
    case 'asked':
    case 'parked':
      return {
        ...base,
        state: 'held',
        holder: lease.holder,
        takenFrom: lease.takenFrom ?? null,
        ...toCome(lease, now),
      };
  }
}

/** The private hold: by whom and why; the page itself is not shown. */
function privateView(lease: Lease, toClock: (monotonicMs: number) => string): Pick<ControlView, 'private'> {
  const privateHold = privateHoldOf(lease);
  return privateHold
    ? {
        private: {
          by: privateHold.by,
          reason: privateHold.reason,
          until: privateHold.until,
          since: toClock(privateHold.since),
        },
      }
    : {};
}

function toCome(lease: Lease, now: number): Pick<ControlView, 'parkedMs' | 'asked'> {
  if (!('until' in lease)) return {};
  const ms = Math.max(0, Math.round(lease.until - now));
  return lease.state === 'parked'
    ? { parkedMs: ms }
    : { asked: { by: lease.asker, ms, passes: lease.atEnd === 'passes' } };
}
