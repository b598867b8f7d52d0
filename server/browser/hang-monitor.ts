import type { DialogView } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import type { Sentinel, Termination } from '@/server/cdp/sentinel';
import type { Breakpoint } from './breakpoint';
import type { FrameTarget } from './frames/frame-target';
import type { TabFrames } from './frames/tab-frames';
import type { RendererGroups } from './renderer-group';
import type { RendererMember } from './renderer-member';

export interface HangMonitorInit {
  readonly frames: TabFrames;
  readonly breakpoint: Breakpoint;
  readonly clock: Clock;
  readonly count: EvaluatorEvents['count'];
  readonly renderers: RendererGroups;
  /** The page as a member of its renderer group. */
  readonly self: Pick<RendererMember, 'id' | 'opener' | 'sentinel' | 'name' | 'dialog' | 'runs' | 'look'>;
  /** The dialog that the frame's own script opened. */
  dialogOf(frameId: string): DialogView | undefined;
  /** Whether a known reason explains that the page does not answer. */
  excused(): boolean;
  /** The page floods its Chrome, which stops its process most of the time (AC6). */
  slowed(): boolean;
  /** Shows why the page does not answer; undefined: it answers. */
  show(hung: Message | undefined): void;
  /** The requested page has arrived, because its script runs. */
  arrived(): void;
}

/** How long a script may take to stop before another page takes the place of its own (EV4). Milliseconds. */
export const REPLACED_AFTER_MS = 500;
/** The longest wait for a resumed page to run a task before it counts as still paused, milliseconds. */
const RESUMED_MS = 1_000;

/** An idle page answers within this time, milliseconds. */
const PING_MS = 50;

/** Detects and ends hangs in a tab, of its page or of an out-of-process frame (CO9, EV3, EV4). */
export class HangMonitor {
  readonly #self: RendererMember;
  /** The out-of-process frames, by target id. */
  readonly #inside = new Map<string, RendererMember>();
  #awaiting = false;

  constructor(private readonly init: HangMonitorInit) {
    this.#self = {
      ...init.self,
      inside: undefined,
      hangs: (said) => this.#hangsWithGroup(said),
      hung: () => this.#awaiting,
      excused: () => init.excused(),
      slowed: () => init.slowed(),
      silent: () => this.stuck({ code: 'scriptRuns' }),
      still: () => void init.breakpoint.stands().then((stands) => stands && init.show({ code: 'pagePaused' })),
      alive: () => this.freed(),
    };
    init.renderers.join(this.#self);
    init.frames.onTarget.on((frame) => this.#joined(frame));
  }

  /** Adds an out-of-process frame, which may share its renderer with a popup or a frame of another tab. */
  #joined(frame: FrameTarget): void {
    const { frames, renderers, self } = this.init;
    const { targetId, sentinel, sessions } = frame;
    const known: RendererMember = {
      ...{ id: self.id, inside: this.#self, opener: undefined, sentinel },
      name: () => frames.of(targetId)?.url ?? '',
      dialog: () => this.init.dialogOf(targetId),
      runs: () => frame.evaluator.running,
      hangs: (said) => frame.hangs(said),
      hung: () => frame.hung,
      excused: () => this.init.excused(),
      slowed: () => false,
      silent: () => frame.silent(),
      alive: () => frame.freed(),
    };
    renderers.join(known);
    this.#inside.set(targetId, known);
    void renderers.moved(known);
    const offs = [
      frames.onDocument.on(({ frameId }) => frameId === targetId && void renderers.moved(known)),
      frames.onStuck.on((stuck) => stuck === frame && void renderers.stuck(known)),
    ];
    sessions.sentinel.onEnd(() => {
      for (const off of offs) off();
      this.#inside.delete(targetId);
      renderers.leave(known);
    });
  }

  /** Watches page and frames until the returned function is called. */
  want(): () => void {
    return this.init.renderers.heartbeat.want(this.#self);
  }

  /** Checks the page now; it counts as hung when it does not answer in time (CO9). */
  doubt(): void {
    this.init.renderers.heartbeat.doubt(this.#self);
  }

  /** Call when the page shows another document. */
  moved(): void {
    this.#self.sentinel.interrupt.moved();
    void this.init.renderers.moved(this.#self);
  }

  /**
   * Marks the page as hung, finds the members of its renderer that hang with it and names the culprit (AC6). `ending`:
   * also terminates the culprit's script.
   */
  stuck(said: Message, ending = false): void {
    this.#hangs(said);
    void this.init.renderers.stuck(this.#self, ending);
  }

  /** Marks the page as answering. */
  freed(): void {
    this.init.show(undefined);
  }

  /** DIALOG_OPEN for a dialog of another tab in the same renderer, which blocks this page. */
  dialogBeside(): WheelhouseError | undefined {
    return this.init.renderers.dialogBeside(this.#self);
  }

  /** Ends scripts that block the page or a frame. True when the page answers again within `withinMs` milliseconds. */
  async unhang(budget: Budget, withinMs: number): Promise<boolean> {
    const inside = this.init.frames
      .targets()
      .map((frame) => this.#interrupt(budget, frame.sentinel, withinMs, () => frame.freed()));
    const [page] = await Promise.all([
      this.#interrupt(budget, this.#self.sentinel, withinMs, () => this.freed(), true),
      ...inside,
    ]);
    return page;
  }

  /**
   * Resumes a page at a breakpoint, so that the next action works unless it pauses again; false when it is not paused.
   */
  async resume(budget: Budget): Promise<boolean> {
    if (!(await budget.race(this.init.breakpoint.resume()))) return false;
    if (await budget.race(this.#self.sentinel.turns(RESUMED_MS))) this.freed();
    return true;
  }

  /**
   * Enables or disables interrupts in the page and its frames, later ones included, which stop scripts with all queued
   * input (CO3).
   */
  arm(armed: boolean): void {
    this.#self.sentinel.interrupt.arm(armed);
    this.init.frames.arm(armed);
  }

  /**
   * The sentinels of scripts that block the page or frames which do not answer within `withinMs` milliseconds; a script
   * may be that of a tab in the same renderer (AC6). One script runs per inner list.
   */
  async silent(withinMs: number): Promise<Sentinel[][]> {
    const found = await this.init.renderers.holders([this.#self, ...this.#inside.values()], withinMs);
    return found.map((renderer) => renderer.map(({ sentinel }) => sentinel));
  }

  dispose(): void {
    this.init.renderers.leave(this.#self);
  }

  /**
   * Called by a member of the same renderer. A script that runs means that a requested page has arrived, although
   * Chrome cannot report it.
   */
  #hangsWithGroup(said: Message): void {
    if (said.code === 'scriptRuns') this.init.arrived();
    this.#hangs(said);
  }

  /** Shows the message until the page answers, also without a watch. */
  #hangs(said: Message): void {
    this.init.show(said);
    if (this.#awaiting) return;
    this.#awaiting = true;
    const over = (): boolean => (this.#awaiting = false);
    this.#self.sentinel.whenAnswers().then(() => {
      over();
      this.freed();
    }, over);
  }

  async #interrupt(
    budget: Budget,
    sentinel: Sentinel,
    withinMs: number,
    freed: () => void,
    isPage = false,
  ): Promise<boolean> {
    const { count, renderers } = this.init;
    if (await sentinel.answers(PING_MS)) {
      freed();
      return true;
    }
    // A dialog of another tab blocks the page, so no script of this page may be ended.
    if (isPage && this.dialogBeside()) return false;
    const others = isPage ? await budget.race(renderers.silentWith(this.#self, PING_MS)) : [];
    count('terminate-sent');
    const ended = await budget.during('the running script to stop', () =>
      firstOf([sentinel.terminate(withinMs, freed), ...others.map((one) => one.sentinel.terminate(withinMs))]),
    );
    if (ended === 'acknowledged') freed();
    return ended === 'acknowledged';
  }
}

/**
 * Returns `acknowledged` as soon as one sentinel ended the script. Only a sentinel attached before the script started
 * can.
 */
async function firstOf(terminations: readonly Promise<Termination>[]): Promise<Termination> {
  const acknowledged = terminations.map((one) =>
    one.then((ended) => (ended === 'acknowledged' ? ended : Promise.reject(new Error(ended)))),
  );
  return Promise.any(acknowledged).catch((): Termination => 'pending');
}
