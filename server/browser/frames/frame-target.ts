import type { Clock } from '@/lib/budget/clock';
import type { Message } from '@/lib/messages/message';
import { Evaluator, type EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import type { HangTiming } from '@/server/config/timings';
import { Sentinel } from '@/server/cdp/sentinel';
import { Activity } from '../activity';
import { Heartbeat } from '../heartbeat';
import type { TabSessions } from '../tab-sessions';

export interface FrameTargetEvents {
  /** The tab's: dialogs belong to it, and all runs are counted together. */
  readonly scripts: EvaluatorEvents;
  /** A known reason not to ask for a sign of life: a dialog is open, the tab crashed. */
  excused(): boolean;
  /** It began to hang, or answers again. */
  changed(): void;
  /** It was found not to answer. */
  stuck(): void;
}

/**
 * One frame in a process of its own, with the same sessions a tab has: its scripts run and are ended there (EV1-EV3).
 */
export class FrameTarget {
  readonly sentinel: Sentinel;
  readonly evaluator: Evaluator;
  readonly #heartbeat: Heartbeat;
  #activity: Activity | undefined;
  #hung = false;
  #beside: Message | undefined;

  constructor(
    readonly targetId: string,
    readonly sessions: TabSessions,
    private readonly clock: Clock,
    private readonly events: FrameTargetEvents,
    hangTiming?: HangTiming,
  ) {
    this.sentinel = new Sentinel(sessions.sentinel, clock);
    this.evaluator = new Evaluator(sessions.evaluate, this.sentinel, {
      ...events.scripts,
      hung: () => this.#found(),
      freed: () => this.freed(),
    });
    this.#heartbeat = new Heartbeat(
      this.sentinel,
      clock,
      {
        excused: () => events.excused(),
        silent: () => this.#found(),
        alive: () => this.freed(),
      },
      hangTiming,
    );
  }

  /** A script holds it: it did not answer when it was asked. */
  get hung(): boolean {
    return this.#hung;
  }

  /** Who holds it up, when that is a tab. */
  get beside(): Message | undefined {
    return this.#hung ? this.#beside : undefined;
  }

  /** Told by those that share its renderer: shown until it answers. */
  hangs(said: Message): void {
    this.#beside = said;
    this.sentinel.whenAnswers().then(
      () => this.freed(),
      () => undefined,
    );
    this.#setHung(true);
  }

  /** Looks for a sign of life from time to time until the returned function is called. */
  want(): () => void {
    return this.#heartbeat.want();
  }

  /** What it is busy with, told from when this is first asked for. */
  get activity(): Activity {
    this.#activity ??= this.#listen();
    return this.#activity;
  }

  /** It answers again. */
  freed(): void {
    this.#setHung(false);
  }

  dispose(): void {
    this.#heartbeat.dispose();
  }

  #listen(): Activity {
    const { commands, bulk } = this.sessions;
    const activity = new Activity(commands, bulk, this.targetId, this.clock);
    // A frame that went away has nothing to tell.
    activity.start().catch(() => undefined);
    return activity;
  }

  #found(): void {
    const isNew = !this.#hung;
    if (isNew) this.#beside = undefined;
    this.#setHung(true);
    if (isNew) this.events.stuck();
  }

  #setHung(hung: boolean): void {
    if (hung === this.#hung) return;
    this.#hung = hung;
    this.events.changed();
  }
}
