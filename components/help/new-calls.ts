import type { SessionView } from '@/lib/protocol/views';

/** A question that somebody should hear of. */
export interface HelpCall {
  /** Of the question. */
  readonly id: string;
  readonly session: string;
  /** Who asks, and why. */
  readonly name: string;
  readonly reason: string;
}

/** Every open question of these sessions, except where a person drives: they see it. */
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

/** Remembers which calls were made, so that each is told once; those that were open when the page came are not told. */
export class SeenCalls {
  #known: Set<string> | undefined;

  fresh(calls: readonly HelpCall[]): readonly HelpCall[] {
    const known = this.#known;
    this.#known = new Set([...(known ?? []), ...calls.map(({ id }) => id)]);
    return known ? calls.filter(({ id }) => !known.has(id)) : [];
  }
}
