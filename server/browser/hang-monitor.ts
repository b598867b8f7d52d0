import type { DialogView } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { HangTiming } from '@/server/config/timings';
import type { EvaluatorEvents } from '@/server/cdp/evaluate/evaluator';
import type { Sentinel, Termination } from '@/server/cdp/sentinel';
import type { Breakpoint } from './breakpoint';
import type { FrameTarget } from './frames/frame-target';
import type { TabFrames } from './frames/tab-frames';
import { Heartbeat } from './heartbeat';
import type { RendererGroups, RendererMember } from './renderer-group';

export interface HangMonitorInit {
  readonly frames: TabFrames;
  readonly breakpoint: Breakpoint;
  readonly clock: Clock;
  readonly hangTiming: HangTiming | undefined;
  readonly count: EvaluatorEvents['count'];
  readonly renderers: RendererGroups;
  /** The page, as those that share its renderer know it. */
  readonly self: Omit<RendererMember, 'hangs' | 'hung'>;
  /** The dialog that a frame's own script has opened. */
  dialogOf(frameId: string): DialogView | undefined;
  /** Is there a known reason why the page does not answer? */
  excused(): boolean;
  /** It floods its Chrome, so its process is stopped most of the time (AC6). */
  slowed(): boolean;
  /** To be shown: why the page does not answer; undefined: it does. */
  show(hung: Message | undefined): void;
  /** A script of the page that was asked for runs. */
  arrived(): void;
  /** It answered the heartbeat. */
  alive(): void;
}

/** A page that goes on has come to its next task within this, or stands at the next breakpoint. Milliseconds. */
const RESUMED_MS = 1_000;

/** What may answer an idle page's question takes no longer, milliseconds. */
const PING_MS = 50;

/** Notices what hangs in a tab, its page or a frame in another process, and ends it (CO9, EV3, EV4). */
export class HangMonitor {
  readonly #page: Heartbeat;
  readonly #self: RendererMember;
  /** The frames in processes of their own, by target. */
  readonly #inside = new Map<string, RendererMember>();
  #awaiting = false;

  constructor(private readonly init: HangMonitorInit) {
    this.#self = { ...init.self, hangs: (said) => this.#told(said), hung: () => this.#awaiting };
    this.#page = new Heartbeat(
      init.self.sentinel,
      init.clock,
      {
        excused: () => init.excused(),
        slowed: () => init.slowed(),
        silent: () => this.stuck({ code: 'scriptRuns' }),
        still: () => void init.breakpoint.stands().then((stands) => stands && init.show({ code: 'pagePaused' })),
        alive: () => {
          this.freed();
          init.alive();
        },
      },
      init.hangTiming,
    );
    init.renderers.join(this.#self);
    init.frames.onTarget.on((frame) => this.#joined(frame));
  }

  /** A frame in another process may share that with a popup, or with the frame of another tab. */
  #joined(frame: FrameTarget): void {
    const { frames, renderers, self } = this.init;
    const { targetId, sentinel, sessions } = frame;
    const known: RendererMember = {
      ...{ id: self.id, frame: true, opener: undefined, sentinel },
      name: () => frames.of(targetId)?.url ?? '',
      dialog: () => this.init.dialogOf(targetId),
      runs: () => frame.evaluator.running,
      hangs: (said) => frame.hangs(said),
      hung: () => frame.hung,
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

  /** Keeps page and frames under watch until the returned function is called. */
  want(): () => void {
    const stops = [this.#page.want(), this.init.frames.want()];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Asks the page now whether it still answers; what does not counts as hung a little later (CO9). */
  doubt(): void {
    this.#page.doubt();
  }

  /** The page shows another document. */
  moved(): void {
    this.#self.sentinel.interrupt.moved();
    void this.init.renderers.moved(this.#self);
  }

  /**
   * The page does not answer. `ending`: what holds it up was to be ended. Those that share its renderer are found, and
   * the culprit named (AC6).
   */
  stuck(said: Message, ending = false): void {
    this.#hangs(said);
    void this.init.renderers.stuck(this.#self, ending);
  }

  /** It answers. */
  freed(): void {
    this.init.show(undefined);
  }

  /** The dialog of another tab in the same renderer, which keeps this one from answering. */
  dialogBeside(): WheelhouseError | undefined {
    return this.init.renderers.dialogBeside(this.#self);
  }

  /** Ends scripts that hold the page or a frame; true when the page answers again within `withinMs`. */
  async unhang(budget: Budget, withinMs: number): Promise<boolean> {
    const inside = this.init.frames
      .targets()
      .map((frame) => this.#free(budget, frame.sentinel, withinMs, () => frame.freed()));
    const [page] = await Promise.all([
      this.#free(budget, this.#self.sentinel, withinMs, () => this.freed(), true),
      ...inside,
    ]);
    return page;
  }

  /**
   * Lets a page go on that stands at a breakpoint; false when it stands at none. The next action finds it working,
   * unless it stops again at once.
   */
  async resume(budget: Budget): Promise<boolean> {
    if (!(await budget.race(this.init.breakpoint.resume()))) return false;
    if (await budget.race(this.#self.sentinel.turns(RESUMED_MS))) this.freed();
    return true;
  }

  /**
   * Whether scripts of page and frames can be stopped with all that waits behind them; frames that come later too
   * (CO3).
   */
  arm(armed: boolean): void {
    this.#self.sentinel.interrupt.arm(armed);
    this.init.frames.arm(armed);
  }

  /**
   * What holds up page and frames that do not answer within `withinMs`: their own scripts, or that of a tab in the same
   * renderer (AC6). Of each group one script runs.
   */
  async silent(withinMs: number): Promise<Sentinel[][]> {
    const found = await this.init.renderers.holders([this.#self, ...this.#inside.values()], withinMs);
    return found.map((renderer) => renderer.map(({ sentinel }) => sentinel));
  }

  dispose(): void {
    this.#page.dispose();
    this.init.renderers.leave(this.#self);
  }

  /**
   * Told by a neighbour, which shares the renderer: a page that was asked for has come then, and its script keeps
   * Chrome from saying so.
   */
  #told(said: Message): void {
    if (said.code === 'scriptRuns') this.init.arrived();
    this.#hangs(said);
  }

  /** Shown until the page answers, whether or not somebody watches. */
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

  async #free(
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
    // What runs after a dialog of another tab is none of this one's.
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

/** A renderer's script is ended by any sentinel in it that was there before the script. */
async function firstOf(terminations: readonly Promise<Termination>[]): Promise<Termination> {
  const acknowledged = terminations.map((one) =>
    one.then((ended) => (ended === 'acknowledged' ? ended : Promise.reject(new Error(ended)))),
  );
  return Promise.any(acknowledged).catch((): Termination => 'pending');
}
