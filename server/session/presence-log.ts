import type { Caller } from './caller';
import { actorOf, type Participants } from './participants';
import type { Timeline } from './timeline';

export interface PresenceLogDeps {
  readonly participants: Participants;
  readonly timeline: Timeline;
  /** This participant has a connection again (CO7). */
  back(participant: string): void;
  changed(): void;
}

/** Who comes and goes, told to everybody (AU5, TL1). */
export class PresenceLog {
  constructor(private readonly deps: PresenceLogDeps) {}

  /** Whoever acts is here, also without a connection (CO10). */
  admit(caller: Caller): void {
    if (this.deps.participants.admit(caller.principal)) this.#tell('join', caller);
  }

  /** A connection of a person or agent; the returned function ends it and says how many this participant has left. */
  join(caller: Caller): () => number {
    const { participants } = this.deps;
    const first = !participants.online(caller.principal.id);
    const leave = participants.connect(caller.principal);
    this.deps.back(caller.principal.id);
    if (first) this.#tell('join', caller);
    this.deps.changed();
    return () => {
      const left = leave();
      if (left === 0) this.#tell('leave', caller);
      return left;
    };
  }

  #tell(kind: 'join' | 'leave', { principal, door }: Caller): void {
    this.deps.timeline.tell({
      kind,
      said: { code: kind === 'join' ? 'joined' : 'left' },
      actor: actorOf(principal),
      door,
    });
  }
}
