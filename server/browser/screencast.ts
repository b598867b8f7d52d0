import { messageOf } from '@/lib/errors/error';
import type { Clock } from '@/lib/budget/clock';
import { CHROME_WINDOW, planAck } from '@/lib/stream/ack-plan';
import type { CaptureState, Picture } from '@/lib/stream/picture';
import { TIERS, UNPACED_FPS, type Tier } from '@/lib/stream/tiers';
import type { Logger } from '@/server/telemetry/logger';
import { Cast, type PictureSessions, type ScreencastFrame } from './cast';
import type { FrameCounters, FrameSink } from './frame-sink';
import type { PictureStamp } from './picture-stamp';
import { StillCamera } from './still-camera';

export interface ScreencastInit extends PictureSessions {
  readonly tabId: string;
  readonly tier: Tier;
  /** Shared by all captures of the tab: geometry numbers and capture times. */
  readonly stamp: PictureStamp;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: FrameCounters;
}

/**
 * One capture of a tab at one tier, with any number of sinks (FR1). Started by the first, stopped by the last.
 * Chrome is paced by the keenest sink that has credit; no sink waits for another.
 */
export class Screencast {
  readonly #sinks = new Set<FrameSink>();
  readonly #camera: StillCamera;
  /** Grows with every start and stop: what an older run still delivers is ignored. */
  #run = 0;
  #cast: Cast | undefined;
  #latest: Picture | undefined;
  #seq = 0;
  #keen = false;
  #paused: string | undefined;
  #lost: string | undefined;
  /** Chrome may have painted something since the latest picture that it could not send. */
  #missed = true;
  /** The latest picture is not the sharp one of what the page shows. */
  #unsharp = true;
  #shooting = false;
  /** When Chrome last sent a picture or got a credit. */
  #signAt = 0;
  #cancelAck: (() => void) | undefined;
  #cancelQuiet: (() => void) | undefined;

  constructor(private readonly init: ScreencastInit) {
    const { maxWidth, stillQuality } = TIERS[init.tier];
    this.#camera = new StillCamera(init, { maxWidth, quality: stillQuality }, init.clock);
  }

  /** Most pictures per second that this capture gives to anyone (FR1). */
  get fps(): number {
    const { driveFps, watchFps } = TIERS[this.init.tier];
    return this.#keen ? driveFps : watchFps;
  }

  get state(): CaptureState {
    if (this.#lost !== undefined) return { state: 'lost', reason: this.#lost };
    return this.#paused === undefined ? { state: 'running' } : { state: 'paused', reason: this.#paused };
  }

  /** The newest picture, also after the capture was stopped. */
  get latest(): Picture | undefined {
    return this.#latest;
  }

  /** Does the page still look like this, as far as anybody can know? Then it may be shown whatever its age. */
  isCurrent(picture: Picture): boolean {
    return picture === this.#latest && (!this.#missed || this.state.state !== 'running');
  }

  /** A newcomer gets the kept picture at once (FR3). The returned function removes it; the last one out stops the capture. */
  addSink(sink: FrameSink): () => void {
    this.#sinks.add(sink);
    sink.captureChanged(this.state);
    if (this.#latest) sink.take(this.#latest, true);
    if (this.#sinks.size === 1) void this.#start();
    else this.credit();
    return () => {
      if (this.#sinks.delete(sink) && this.#sinks.size === 0) void this.#stop();
    };
  }

  /** A sink has room again, or wants more: Chrome is told if that changes anything. */
  credit(): void {
    this.#cancelAck?.();
    this.#cancelAck = undefined;
    const cast = this.#cast;
    if (!cast) return;
    const now = this.init.clock.now();
    const plan = planAck({ outstanding: cast.outstanding, now, ...this.#keenest(now) });
    if (plan.ack > 0) this.#acknowledge(cast, plan.ack);
    if (cast.outstanding >= CHROME_WINDOW) this.#missed = true;
    if (plan.wakeInMs !== undefined) this.#cancelAck = this.init.clock.after(plan.wakeInMs, () => this.credit());
  }

  /** A person drives: as fast as Chrome can (FR1). */
  setKeen(keen: boolean): void {
    this.#keen = keen;
    this.credit();
  }

  /** Why no pictures can come just now (a dialog, a script that hangs); undefined when they can again. Nothing is restarted. */
  setPaused(reason: string | undefined): void {
    if (this.#paused === reason) return;
    this.#paused = reason;
    this.#tellState();
    if (reason === undefined) this.refresh();
  }

  /** The page is gone for now; `restart` brings it back. */
  setLost(reason: string): void {
    if (this.#lost === reason) return;
    this.#lost = reason;
    this.#tellState();
  }

  /** The tab is back after a crash, or has a new session. */
  restart(): void {
    this.#lost = undefined;
    if (this.#sinks.size === 0) return;
    this.#tellState();
    void this.#stop();
    void this.#start();
  }

  /** The page may look different without having moved: a sharp picture is taken once it is quiet. */
  refresh(): void {
    this.#unsharp = true;
    this.#signAt = this.init.clock.now();
    this.#awaitQuiet();
  }

  /** Forgets the kept picture, so that no newcomer sees it. */
  forget(): void {
    this.#latest = undefined;
    if (this.#cast) this.refresh();
  }

  /** Ends the capture whoever still looks. */
  dispose(): void {
    this.#sinks.clear();
    this.#latest = undefined;
    void this.#stop();
  }

  async #start(): Promise<void> {
    const run = ++this.#run;
    this.#missed = true;
    this.#unsharp = true;
    try {
      const session = await this.init.attach();
      if (run !== this.#run) return void (await this.init.detach(session));
      session.onEnd((error) => this.#ended(run, error.message));
      session.on('Inspector.targetCrashed', () => this.#ended(run, 'The page crashed.'));
      const { maxWidth, quality } = TIERS[this.init.tier];
      this.#cast = new Cast(session, { maxWidth, quality }, (frame) => this.#received(run, frame));
      await this.#cast.start();
    } catch (error) {
      this.init.logger.warn({ tab: this.init.tabId, kind: this.init.tier, error: messageOf(error) }, 'a capture could not be started');
      this.#ended(run, messageOf(error));
    }
  }

  async #stop(): Promise<void> {
    this.#run += 1;
    this.#cancelAck?.();
    this.#cancelQuiet?.();
    this.#cancelAck = undefined;
    this.#cancelQuiet = undefined;
    const cast = this.#cast;
    this.#cast = undefined;
    if (this.#sinks.size === 0) this.#lost = undefined;
    await Promise.all([cast && this.#end(cast), this.#camera.dispose()]);
  }

  async #end(cast: Cast): Promise<void> {
    await cast.stop();
    await this.init.detach(cast.session);
  }

  #ended(run: number, reason: string): void {
    if (run === this.#run) this.setLost(reason);
  }

  #received(run: number, frame: ScreencastFrame): void {
    if (run !== this.#run || this.#lost !== undefined) return;
    this.#unsharp = true;
    this.#publish(frame, 'motion');
    this.credit();
    this.#awaitQuiet();
  }

  #publish(frame: ScreencastFrame, sort: Picture['sort']): void {
    const now = this.init.clock.now();
    const picture = { ...this.init.stamp.describe(frame, now), seq: ++this.#seq, sort };
    this.#latest = picture;
    this.#missed = false;
    this.#signAt = now;
    this.init.counters.frame(sort === 'still' ? 'still' : 'captured', this.init.tier);
    for (const sink of this.#sinks) sink.take(picture, false);
  }

  #keenest(now: number): { wantedAt: number | undefined; eager: boolean } {
    let wantedAt: number | undefined;
    let eager = false;
    for (const sink of this.#sinks) {
      const at = sink.wantsAt();
      if (at === undefined) continue;
      wantedAt = Math.min(wantedAt ?? at, at);
      eager ||= sink.fps >= UNPACED_FPS && at <= now;
    }
    return { wantedAt, eager };
  }

  #acknowledge(cast: Cast, count: number): void {
    cast.acknowledge(count);
    this.#signAt = this.init.clock.now();
    this.#awaitQuiet();
  }

  #awaitQuiet(): void {
    if (!this.#unsharp || this.#cancelQuiet || !this.#cast) return;
    const ms = this.#signAt + TIERS[this.init.tier].quietMs - this.init.clock.now();
    this.#cancelQuiet = this.init.clock.after(Math.max(1, ms), () => this.#quiet());
  }

  /** No picture although Chrome was free to send one: motion has stopped. */
  #quiet(): void {
    this.#cancelQuiet = undefined;
    const cast = this.#cast;
    if (!cast || !this.#unsharp || this.#shooting || cast.outstanding >= CHROME_WINDOW) return;
    const quietFor = this.init.clock.now() - this.#signAt;
    if (quietFor + 1 < TIERS[this.init.tier].quietMs) return this.#awaitQuiet();
    if (this.state.state === 'running') void this.#sharpen(cast);
  }

  /** One sharp picture of the page at rest (FR3); given up when it moves meanwhile. */
  async #sharpen(cast: Cast): Promise<void> {
    const { run, seq } = { run: this.#run, seq: this.#seq };
    this.#shooting = true;
    this.#unsharp = false;
    // All of Chrome's credits back: the next motion starts at once, also on a Chrome that allows fewer.
    cast.acknowledge(cast.outstanding);
    const frame = await this.#camera.take();
    this.#shooting = false;
    if (run !== this.#run) return;
    if (frame && seq === this.#seq && this.state.state === 'running') return this.#publish(frame, 'still');
    this.#unsharp = true;
    if (frame) this.#awaitQuiet();
  }

  #tellState(): void {
    for (const sink of this.#sinks) sink.captureChanged(this.state);
  }
}
