import type { Caller } from '@/server/session/caller';
import type { Feature } from '@/server/session/feature';
import { actorOf } from '@/server/session/participants';

/** Writes to the timeline who joins and leaves (AU5, TL1). */
export const presence: Feature = {
  name: 'presence',
  start: (kernel) => {
    const tell = (kind: 'join' | 'leave', { principal, door }: Caller): void => {
      const said = { code: kind === 'join' ? 'joined' : 'left' } as const;
      void kernel.timeline.tell({ kind, said, actor: actorOf(principal), door });
    };
    kernel.onJoin.on((caller) => tell('join', caller));
    kernel.onLeave.on((caller) => tell('leave', caller));
    return {};
  },
};
