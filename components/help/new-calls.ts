import type { SessionView } from '@/lib/protocol/views';

/** An open help request, as people are notified of it. */
export interface HelpCall {
  /** Id of the help request. */
  readonly id: string;
  readonly session: string;
  /** Name of the asker, and the reason. */
  readonly name: string;
  readonly reason: string;
  /** A person is on it: nobody is called. */
  readonly claimed: boolean;
}

/** Open help requests of these sessions, except in tabs that a person drives: that person sees them. */
export function openCalls(sessions: readonly SessionView[]): HelpCall[] {
  return sessions
    .filter(({ state }) => state === 'live')
    .flatMap(({ id: session, tabs }) =>
      tabs
        .filter(({ control }) => control.holder?.kind !== 'human')
        .flatMap(({ control: { questions = [] } }) =>
          questions.map(({ id, by: { name }, reason, claimed }) => ({
            ...{ id, session, name, reason },
            claimed: claimed !== undefined,
          })),
        ),
    );
}

/**
 * Remembers known help requests, so that each is reported once, and again when the person who was on it has given it up
 * (CO4). Requests that called when the page was loaded are not reported.
 */
export class SeenCalls {
  #known: ReadonlySet<string> | undefined;

  fresh(calls: readonly HelpCall[]): readonly HelpCall[] {
    const known = this.#known;
    const calling = calls.filter(({ claimed }) => !claimed);
    const claimed = new Set(calls.filter((call) => call.claimed).map(({ id }) => id));
    const all = [...(known ?? []), ...calling.map(({ id }) => id)];
    this.#known = new Set(all.filter((id) => !claimed.has(id)));
    return known ? calling.filter(({ id }) => !known.has(id)) : [];
  }
}
