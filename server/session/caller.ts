import type { TimelineEvent } from '@/lib/protocol/views';
import type { Principal } from '@/server/access/principal';

/** Who calls, and through which door; made at the door and carried down. */
export interface Caller {
  readonly principal: Principal;
  readonly door: TimelineEvent['door'];
}
