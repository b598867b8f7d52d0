import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import type { Connection } from './connection';
import { walkTimeline, type Checks } from './timeline-verify';

interface BrokenRow {
  readonly session: string;
  /** The first row that does not hold. */
  readonly row: number;
  readonly problem: string;
}

/** How far the check of all timelines has come, and what it found. */
export type TimelinesState =
  | { readonly state: 'checking'; readonly checked: number; readonly of: number }
  | { readonly state: 'ok'; readonly timelines: number; readonly rows: number }
  | {
      readonly state: 'broken';
      readonly timelines: number;
      readonly rows: number;
      readonly broken: readonly BrokenRow[];
    }
  /** It could not be finished, for example because the database is locked. */
  | { readonly state: 'failed'; readonly reason: string };

/** One page of rows is checked, then others have their turn for so long. Milliseconds. */
const REST_MS = 10;
/** Broken timelines that are named. */
const MOST_NAMED = 20;

/**
 * Checks all timelines once, in the background: a page of rows at a time, so that it holds up neither the start nor
 * anybody's call (T21).
 */
export class TimelineCheck {
  #state: TimelinesState = { state: 'checking', checked: 0, of: 0 };
  #cancel = (): void => undefined;

  constructor(
    connection: Connection,
    checks: Checks,
    private readonly clock: Clock,
    private readonly done: (state: TimelinesState) => void,
  ) {
    this.#go(this.#all(connection, checks));
  }

  get state(): TimelinesState {
    return this.#state;
  }

  /** Ends it where it is. */
  dispose(): void {
    this.#cancel();
  }

  #go(work: Generator<undefined, TimelinesState>): void {
    this.#cancel = this.clock.after(REST_MS, () => {
      const next = step(work);
      if (next === undefined) return this.#go(work);
      this.#state = next;
      this.done(next);
    });
  }

  *#all(connection: Connection, checks: Checks): Generator<undefined, TimelinesState> {
    const timelines = connection.all(
      connection.db.selectFrom('sessions').select(['id', 'workspace']).orderBy('created_at', 'desc'),
    );
    const broken: BrokenRow[] = [];
    let rows = 0;
    for (const [checked, { id: session, workspace }] of timelines.entries()) {
      this.#state = { state: 'checking', checked, of: timelines.length };
      const verdict = yield* paused(walkTimeline(connection, checks, workspace, session));
      if (verdict.ok) rows += verdict.rows;
      else if (broken.length < MOST_NAMED) broken.push({ session, row: verdict.at, problem: verdict.problem });
      yield;
    }
    const counts = { timelines: timelines.length, rows };
    return broken.length === 0 ? { state: 'ok', ...counts } : { state: 'broken', ...counts, broken };
  }
}

function* paused<T>(walk: Generator<unknown, T>): Generator<undefined, T> {
  for (;;) {
    const { done, value } = walk.next();
    if (done === true) return value;
    yield;
  }
}

/** What it came to, when it has come to its end. */
function step(work: Generator<undefined, TimelinesState>): TimelinesState | undefined {
  try {
    const { done, value } = work.next();
    return done === true ? value : undefined;
  } catch (error) {
    return { state: 'failed', reason: messageOf(error) };
  }
}
