import type { SessionView } from '@/lib/protocol/views';

/** An open help request, as people are notified of it. */
export interface HelpCall {
  /** Id of the help request. */
  readonly id: string;
  readonly session: string;
  /** Name of the asker, and the reason. */
  readonly name: string;
  readonly reason: string;
}

/** Open help requests of these sessions, except in tabs that a person drives: that person sees them. */
export function openCalls(sessions: readonly SessionView[]): HelpCall[] {
  return sessions
    .filter(({ state }) => state === 'live')
    .flatMap(({ id: session, tabs }) =>
      tabs
        .filter(({ control }) => control.holder?.kind !== 'human')
        .flatMap(({ control: { questions = [] } }) =>
          questions.map(({ id, by: { name }, reason }) => ({ id, session, name, reason })),
        ),
    );
}

/**
 * Remembers known help requests, so that each is reported once. Requests that were open when the page was loaded are
 * not reported.
 */
export class SeenCalls {
  #known: Set<string> | undefined;

  fresh(calls: readonly HelpCall[]): readonly HelpCall[] {
    const known = this.#known;
    this.#known = new Set([...(known ?? []), ...calls.map(({ id }) => id)]);
    return known ? calls.filter(({ id }) => !known.has(id)) : [];
  }
}
