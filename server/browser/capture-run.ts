import { Timer } from '@/lib/async/timers';
import { messageOf } from '@/lib/errors/error';
import type { Clock } from '@/lib/budget/clock';
import { ANSWER, CHROME_WINDOW, learnAnswer, planAck, type SinkDemand } from '@/lib/stream/ack-plan';
import type { TierSpec } from '@/lib/stream/tiers';
import { CdpScreencast, type PictureSessions, type ScreencastFrame } from './cdp-screencast';
import { StillCapture } from './still-capture';

/** The part of the capture that a run needs. */
export interface CaptureRunInit {
  readonly sessions: PictureSessions;
  readonly tier: TierSpec;
  readonly clock: Clock;
  /** When the sinks want their next picture. */
  wants(): SinkDemand;
  /** After this time without a frame, motion counts as stopped. Milliseconds. */
  quietMs(): number;
  /** False while the page cannot paint; then the run takes no sharp picture. */
  maySharpen(): boolean;
  onFrame(frame: ScreencastFrame, sort: 'motion' | 'still'): void;
  /** The page, the session or Chrome is gone and the run is over. Called once. */
  onLost(reason: string): void;
}

/** The extra wait before the next try after Chrome gave no sharp picture, milliseconds. */
const RETRY_AFTER_MS = 2_000;

/**
 * One screencast from start to stop. Acknowledges frames at the pace of the sinks (FR1) and takes one sharp picture
 * when motion stops (FR3). Calls nothing after `stop`.
 */
export class CaptureRun {
  readonly #camera: StillCapture;
  #screencast: CdpScreencast | undefined;
  #over = false;
  #missed = true;
  /** The last frame is not a sharp picture of the present page. */
  #unsharp = true;
  #shooting = false;
  #frames = 0;
  #answerMs: number = ANSWER.leastMs;
  /** When a blocked Chrome got the acknowledgement that the next frame answers. */
  #askedAt: number | undefined;
  /** When Chrome last sent a frame or received an acknowledgement. */
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

  /** Chrome may have painted changes that it could not send since the last frame. */
  get missed(): boolean {
    return this.#missed;
  }

  /** Never rejects; reports a failure by `onLost`. */
  async start(): Promise<void> {
    const { sessions, tier } = this.init;
    try {
      const session = await sessions.attach();
      if (this.#over) return await sessions.detach(session);
      session.onEnd((error) => this.#lose(error.message));
      // Chrome sends this without any domain enabled (Chromium 156), and the session survives.
      session.on('Inspector.targetCrashed', () => this.#lose('The page crashed.'));
      this.#screencast = new CdpScreencast(session, { maxWidth: tier.maxWidth, quality: tier.quality }, (frame) =>
        this.#received(frame),
      );
      await this.#screencast.start();
      // Gives a first picture to sinks of a page at rest, which sends no frame.
      this.#awaitQuiet();
    } catch (error) {
      this.#lose(messageOf(error));
    }
  }

  /** Ends the session. May be called twice. Resolves when Chrome has answered. */
  async stop(): Promise<void> {
    this.#over = true;
    this.#ackTimer.stop();
    this.#quietTimer.stop();
    const cast = this.#screencast;
    this.#screencast = undefined;
    await Promise.all([this.#camera.dispose(), cast && this.#end(cast)]);
  }

  /** Call when a sink changed. Acknowledges the frames that the sinks have room for and plans the next check. */
  credit(): void {
    this.#ackTimer.stop();
    const cast = this.#screencast;
    if (!cast) return;
    const plan = planAck(cast.outstanding, this.init.wants(), this.init.clock.now(), this.#answerMs);
    if (plan.ack > 0) this.#acknowledge(cast, plan.ack);
    if (cast.outstanding >= CHROME_WINDOW) this.#missed = true;
    if (plan.wakeInMs !== undefined) this.#ackTimer.start(plan.wakeInMs, () => this.credit());
  }

  /** Takes a sharp picture after the next quiet time, because the page may have changed without motion. */
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

  #acknowledge(screencast: CdpScreencast, count: number): void {
    if (screencast.outstanding >= CHROME_WINDOW) this.#askedAt = this.init.clock.now();
    screencast.acknowledge(count);
    this.#signAt = this.init.clock.now();
    this.#awaitQuiet();
  }

  #awaitQuiet(): void {
    if (!this.#unsharp || this.#quietTimer.running || !this.#screencast) return;
    const ms = this.#signAt + this.init.quietMs() - this.init.clock.now();
    this.#quietTimer.start(Math.max(1, ms), () => this.#quiet());
  }

  /** Chrome was free to send a frame and sent none, so motion has stopped. */
  #quiet(): void {
    const cast = this.#screencast;
    if (!cast || !this.#unsharp || this.#shooting || cast.outstanding >= CHROME_WINDOW) return;
    // Timers may fire a fraction of a millisecond early.
    if (this.init.clock.now() - this.#signAt + 1 < this.init.quietMs()) return this.#awaitQuiet();
    if (this.init.maySharpen()) void this.#sharpen(cast);
  }

  /** Takes the sharp picture; discards it when the page moves meanwhile. */
  async #sharpen(screencast: CdpScreencast): Promise<void> {
    const frames = this.#frames;
    this.#shooting = true;
    this.#unsharp = false;
    // Returns all credits, so that the next motion is sent at once, also by a Chrome with a smaller window than ours.
    screencast.acknowledge(screencast.outstanding);
    const frame = await this.#camera.take();
    this.#shooting = false;
    if (this.#over) return;
    if (frame && frames === this.#frames && this.init.maySharpen()) this.#give(frame, 'still');
    else this.#unsharp = true;
    if (!frame) this.#signAt = this.init.clock.now() + RETRY_AFTER_MS;
    // Covers changes made while this picture was taken.
    this.#awaitQuiet();
  }

  #lose(reason: string): void {
    if (this.#over) return;
    void this.stop();
    this.init.onLost(reason);
  }

  async #end(screencast: CdpScreencast): Promise<void> {
    await screencast.stop();
    await this.init.sessions.detach(screencast.session);
  }
}
