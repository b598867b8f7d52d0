import type { TimelineEvent } from '@/lib/protocol/views';
import type { Principal } from '@/server/access/principal';

/** The principal of a call and the door it came through; made at the door and passed down. */
export interface Caller {
  readonly principal: Principal;
  readonly door: TimelineEvent['door'];
}
