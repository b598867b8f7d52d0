import type { Clock } from '@/lib/budget/clock';
import type { Message } from '@/lib/messages/message';
import { Evaluator, type EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import { Sentinel } from '@/server/cdp/sentinel';
import { Activity } from '../activity';
import type { TabSessions } from '../tab-sessions';

export interface FrameTargetEvents {
  /** The tab's events: dialogs belong to the tab, and all script runs are counted together. */
  readonly scripts: EvaluatorEvents;
  /** The frame began to hang, or answers again. */
  changed(): void;
  /** The frame did not answer the sign of life. */
  stuck(): void;
}

/**
 * One frame in a process of its own, with the same sessions as a tab: its scripts run and are ended there (EV1-EV3).
 */
export class FrameTarget {
  readonly sentinel: Sentinel;
  readonly evaluator: Evaluator;
  #activity: Activity | undefined;
  #hung = false;
  #beside: Message | undefined;

  constructor(
    readonly targetId: string,
    readonly sessions: TabSessions,
    private readonly clock: Clock,
    private readonly events: FrameTargetEvents,
  ) {
    this.sentinel = new Sentinel(sessions.sentinel, clock);
    this.evaluator = new Evaluator(sessions.evaluate, this.sentinel, {
      ...events.scripts,
      hung: () => this.silent(),
      freed: () => this.freed(),
    });
  }

  /** Whether the frame did not answer when it was last asked. */
  get hung(): boolean {
    return this.#hung;
  }

  /** The reason to show while another tab of the same renderer causes the hang. */
  get beside(): Message | undefined {
    return this.#hung ? this.#beside : undefined;
  }

  /** Called when a target of the same renderer hangs: shows this frame as hung until it answers. */
  hangs(said: Message): void {
    this.#beside = said;
    this.sentinel.whenAnswers().then(
      () => this.freed(),
      () => undefined,
    );
    this.#setHung(true);
  }

  /** What the frame is busy with; recorded from the first read of this property on. */
  get activity(): Activity {
    this.#activity ??= this.#listen();
    return this.#activity;
  }

  /** The frame answers again. */
  freed(): void {
    this.#setHung(false);
  }

  /** The frame did not answer the sign of life. */
  silent(): void {
    const isNew = !this.#hung;
    if (isNew) this.#beside = undefined;
    this.#setHung(true);
    if (isNew) this.events.stuck();
  }

  #listen(): Activity {
    const { commands, bulk } = this.sessions;
    const activity = new Activity(commands, bulk, this.targetId, this.clock);
    // A frame that went away has no activity to report.
    activity.start().catch(() => undefined);
    return activity;
  }

  #setHung(hung: boolean): void {
    if (hung === this.#hung) return;
    this.#hung = hung;
    this.events.changed();
  }
}
