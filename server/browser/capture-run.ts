import { Timer } from '@/lib/async/timers';
import { messageOf } from '@/lib/errors/error';
import type { Clock } from '@/lib/budget/clock';
import { ANSWER, CHROME_WINDOW, learnAnswer, planAck, type SinkDemand } from '@/lib/stream/ack-plan';
import type { TierSpec } from '@/lib/stream/tiers';
import { Cast, type PictureSessions, type ScreencastFrame } from './cast';
import { StillCapture } from './still-capture';

/** What a run needs of the capture it belongs to. */
export interface CaptureRunInit {
  readonly sessions: PictureSessions;
  readonly tier: TierSpec;
  readonly clock: Clock;
  /** When the sinks take their next picture. */
  wants(): SinkDemand;
  /** Without a frame for this long, motion has stopped. Milliseconds. */
  quietMs(): number;
  /** False while the page cannot paint: no sharp picture is tried. */
  maySharpen(): boolean;
  onFrame(frame: ScreencastFrame, sort: 'motion' | 'still'): void;
  /** The page, the session or Chrome is gone. Said once; the run is over. */
  onLost(reason: string): void;
}

/** After Chrome gave no sharp picture, the next try waits this much longer than motion needs to stop. Milliseconds. */
const RETRY_AFTER_MS = 2_000;

/**
 * One screencast from start to stop: gives Chrome its acknowledgements at the pace of the sinks (FR1), and has one
 * sharp picture taken when motion has stopped (FR3). After `stop` it calls nobody.
 */
export class CaptureRun {
  readonly #camera: StillCapture;
  #cast: Cast | undefined;
  #over = false;
  #missed = true;
  /** The last frame is not a sharp picture of what the page shows. */
  #unsharp = true;
  #shooting = false;
  #frames = 0;
  #answerMs: number = ANSWER.leastMs;
  /** When Chrome, having waited for it, got the acknowledgement that the next frame answers. */
  #askedAt: number | undefined;
  /** When Chrome last sent a frame or got a credit. */
  #signAt: number;
  readonly #ackTimer: Timer;
  readonly #quietTimer: Timer;

  constructor(private readonly init: CaptureRunInit) {
    const { maxWidth, stillQuality } = init.tier;
    this.#camera = new StillCapture(init.sessions, { maxWidth, quality: stillQuality }, init.clock);
    this.#signAt = init.clock.now();
    this.#ackTimer = new Timer(init.clock);
    this.#quietTimer = new Timer(init.clock);
  }

  /** Chrome may have painted something since the last frame that it could not send. */
  get missed(): boolean {
    return this.#missed;
  }

  /** Never rejects: a failure is told by `onLost`. */
  async start(): Promise<void> {
    const { sessions, tier } = this.init;
    try {
      const session = await sessions.attach();
      if (this.#over) return await sessions.detach(session);
      session.onEnd((error) => this.#lose(error.message));
      // Comes without any domain enabled (Chromium 156), and the session lives on.
      session.on('Inspector.targetCrashed', () => this.#lose('The page crashed.'));
      this.#cast = new Cast(session, { maxWidth: tier.maxWidth, quality: tier.quality }, (frame) =>
        this.#received(frame),
      );
      await this.#cast.start();
      // A sink that gets no first frame because the page is at rest gets a sharp picture.
      this.#awaitQuiet();
    } catch (error) {
      this.#lose(messageOf(error));
    }
  }

  /** Ends the session; safe to call twice. Resolves when Chrome has been told. */
  async stop(): Promise<void> {
    this.#over = true;
    this.#ackTimer.stop();
    this.#quietTimer.stop();
    const cast = this.#cast;
    this.#cast = undefined;
    await Promise.all([this.#camera.dispose(), cast && this.#end(cast)]);
  }

  /** Something about the sinks changed: acknowledges what may be, and looks again in time. */
  credit(): void {
    this.#ackTimer.stop();
    const cast = this.#cast;
    if (!cast) return;
    const plan = planAck(cast.outstanding, this.init.wants(), this.init.clock.now(), this.#answerMs);
    if (plan.ack > 0) this.#acknowledge(cast, plan.ack);
    if (cast.outstanding >= CHROME_WINDOW) this.#missed = true;
    if (plan.wakeInMs !== undefined) this.#ackTimer.start(plan.wakeInMs, () => this.credit());
  }

  /** The page may look different without having moved: a sharp picture is taken once it is quiet. */
  refresh(): void {
    this.#unsharp = true;
    this.#signAt = this.init.clock.now();
    this.#awaitQuiet();
  }

  #received(frame: ScreencastFrame): void {
    this.#unsharp = true;
    if (this.#askedAt !== undefined)
      this.#answerMs = learnAnswer(this.#answerMs, this.init.clock.now() - this.#askedAt);
    this.#askedAt = undefined;
    this.#give(frame, 'motion');
    this.credit();
    this.#awaitQuiet();
  }

  #give(frame: ScreencastFrame, sort: 'motion' | 'still'): void {
    this.#frames += 1;
    this.#missed = false;
    this.#signAt = this.init.clock.now();
    this.init.onFrame(frame, sort);
  }

  #acknowledge(cast: Cast, count: number): void {
    if (cast.outstanding >= CHROME_WINDOW) this.#askedAt = this.init.clock.now();
    cast.acknowledge(count);
    this.#signAt = this.init.clock.now();
    this.#awaitQuiet();
  }

  #awaitQuiet(): void {
    if (!this.#unsharp || this.#quietTimer.running || !this.#cast) return;
    const ms = this.#signAt + this.init.quietMs() - this.init.clock.now();
    this.#quietTimer.start(Math.max(1, ms), () => this.#quiet());
  }

  /** No frame although Chrome was free to send one: motion has stopped. */
  #quiet(): void {
    const cast = this.#cast;
    if (!cast || !this.#unsharp || this.#shooting || cast.outstanding >= CHROME_WINDOW) return;
    // Timers may come a fraction of a millisecond early.
    if (this.init.clock.now() - this.#signAt + 1 < this.init.quietMs()) return this.#awaitQuiet();
    if (this.init.maySharpen()) void this.#sharpen(cast);
  }

  /** Given up when the page moves meanwhile: quiet will come again. */
  async #sharpen(cast: Cast): Promise<void> {
    const frames = this.#frames;
    this.#shooting = true;
    this.#unsharp = false;
    // All credits back: the next motion starts at once, also on a Chrome that allows fewer than we think.
    cast.acknowledge(cast.outstanding);
    const frame = await this.#camera.take();
    this.#shooting = false;
    if (this.#over) return;
    if (frame && frames === this.#frames && this.init.maySharpen()) this.#give(frame, 'still');
    else this.#unsharp = true;
    if (!frame) this.#signAt = this.init.clock.now() + RETRY_AFTER_MS;
    // Also for what changed while this one was being taken.
    this.#awaitQuiet();
  }

  #lose(reason: string): void {
    if (this.#over) return;
    void this.stop();
    this.init.onLost(reason);
  }

  async #end(cast: Cast): Promise<void> {
    await cast.stop();
    await this.init.sessions.detach(cast.session);
  }
}
