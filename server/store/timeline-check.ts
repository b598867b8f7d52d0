import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import type { Database } from './connection';
import type { Signer } from './signer';
import { verifyTimeline } from './timeline-verify';
import { WorkspaceLogRepository } from './workspace-log';

interface BrokenRow {
  /** Of a timeline. */
  readonly session?: string;
  /** Of a workspace's log. */
  readonly workspace?: string;
  /** The first row that fails verification. */
  readonly row: number;
  readonly problem: string;
}

/** Progress and result of the verification of all timelines and logs. */
export type TimelinesState =
  | { readonly state: 'checking'; readonly checked: number; readonly of: number }
  | { readonly state: 'ok'; readonly timelines: number; readonly rows: number }
  | {
      readonly state: 'broken';
      readonly timelines: number;
      readonly rows: number;
      readonly broken: readonly BrokenRow[];
    }
  /** The verification could not be finished, for example because the database is locked. */
  | { readonly state: 'failed'; readonly reason: string };

/** Pause between two pages of rows, for other work. Milliseconds. */
const REST_MS = 10;
/** Most broken timelines that are named. */
const MOST_NAMED = 20;

/**
 * Verifies all timelines and the logs of all workspaces once in the background, one page of rows at a time, so that it
 * delays neither the start nor other calls.
 */
export class TimelineCheck {
  #state: TimelinesState = { state: 'checking', checked: 0, of: 0 };
  #disposed = false;
  #cancel = (): void => undefined;

  constructor(
    private readonly db: Database,
    private readonly signer: Signer,
    private readonly clock: Clock,
    private readonly done: (state: TimelinesState) => void,
  ) {
    void this.#run();
  }

  get state(): TimelinesState {
    return this.#state;
  }

  /** Stops the verification. */
  dispose(): void {
    this.#disposed = true;
    this.#cancel();
  }

  async #run(): Promise<void> {
    try {
      await this.#rest();
      this.#state = await this.#checkAll();
    } catch (error) {
      this.#state = { state: 'failed', reason: messageOf(error) };
    }
    if (!this.#disposed) this.done(this.#state);
  }

  /** Waits between two pages; never settles after `dispose`, which drops the waiting code with it. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#disposed) this.#cancel = this.clock.after(REST_MS, resolve);
    });
  }

  async #brokenLogs(): Promise<BrokenRow[]> {
    const log = new WorkspaceLogRepository(this.db, this.signer, () => new Date());
    const broken: BrokenRow[] = [];
    for (const { id: workspace } of await this.db.selectFrom('workspaces').select('id').execute()) {
      const row = await log.broken(workspace, () => this.#rest());
      if (row !== undefined) broken.push({ workspace, row, problem: 'the log of the workspace was changed or cut' });
    }
    return broken.slice(0, MOST_NAMED);
  }

  async #checkAll(): Promise<TimelinesState> {
    const sessions = this.db.selectFrom('sessions').select(['id as session', 'workspace']);
    const timelines = await sessions.orderBy('created_at', 'desc').execute();
    const broken: BrokenRow[] = [];
    let rows = 0;
    for (const [checked, place] of timelines.entries()) {
      this.#state = { state: 'checking', checked, of: timelines.length };
      const verdict = await verifyTimeline(this.db, this.signer, place, () => this.#rest());
      if (verdict.ok) rows += verdict.rows;
      else if (broken.length < MOST_NAMED)
        broken.push({ session: place.session, row: verdict.at, problem: verdict.problem });
      await this.#rest();
    }
    broken.push(...(await this.#brokenLogs()));
    const counts = { timelines: timelines.length, rows };
    return broken.length === 0 ? { state: 'ok', ...counts } : { state: 'broken', ...counts, broken };
  }
}
