import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { SinkDemand } from '@/lib/stream/ack-plan';
import { intervalOf } from '@/lib/stream/pace';
import type { CaptureState, Picture } from '@/lib/stream/picture';
import { TIERS, UNPACED_FPS, type Tier } from '@/lib/stream/tiers';
import type { Logger } from '@/server/telemetry/logger';
import { CaptureRun } from './capture-run';
import type { PictureSessions, ScreencastFrame } from './cast';
import type { FrameCounters, FrameSink } from './frame-sink';
import type { PictureStamp } from './picture-stamp';

export interface ScreencastInit extends PictureSessions {
  readonly tabId: string;
  readonly tier: Tier;
  /** Shared by all captures of the tab: geometry numbers and capture times. */
  readonly stamp: PictureStamp;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: FrameCounters;
}

/** Waits before a capture that ended by itself is tried again, the last one ever after. Milliseconds. */
const RETRY_MS = [100, 300, 1_000, 3_000] as const;
const NOBODY: SinkDemand = {
  pacedAt: Number.POSITIVE_INFINITY,
  pacedEveryMs: Number.POSITIVE_INFINITY,
  eagerAt: Number.POSITIVE_INFINITY,
};

/**
 * One capture of a tab at one tier, with any number of sinks (FR1). Started by the first, stopped by the last.
 * Chrome is paced by the keenest sink that has credit; no sink waits for another. Chrome refuses a screencast of a page
 * whose document is just being replaced ("Not attached to an active page", Chromium 156), so one that ends by itself is
 * tried again for as long as somebody looks.
 */
export class Screencast {
  readonly #sinks = new Set<FrameSink>();
  #run: CaptureRun | undefined;
  #latest: Picture | undefined;
  #seq = 0;
  #wants: SinkDemand = NOBODY;
  #keen = false;
  #paused: string | undefined;
  /** Why the tab says there is no page. */
  #gone: string | undefined;
  /** Why the last run ended by itself. */
  #failed: string | undefined;
  /** Runs in a row that ended without a picture. */
  #failures = 0;
  readonly #retry: Timer;

  constructor(private readonly init: ScreencastInit) {
    this.#retry = new Timer(init.clock);
  }

  /** Most pictures per second that this capture gives to anyone (FR1). */
  get fps(): number {
    const { driveFps, watchFps } = TIERS[this.init.tier];
    return this.#keen ? driveFps : watchFps;
  }

  get state(): CaptureState {
    const lost = this.#gone ?? this.#failed;
    if (lost !== undefined) return { state: 'lost', reason: lost };
    return this.#paused === undefined ? { state: 'running' } : { state: 'paused', reason: this.#paused };
  }

  /** The newest picture, also after the capture was stopped. */
  get latest(): Picture | undefined {
    return this.#latest;
  }

  /** Somebody takes its pictures, and there are some. */
  get isRunning(): boolean {
    return this.#run !== undefined && this.#failed === undefined;
  }

  /** Does the page still look like this, as far as anybody can know? Then it may be shown whatever its age. */
  isCurrent(picture: Picture): boolean {
    if (picture !== this.#latest) return false;
    return this.state.state !== 'running' || this.#run?.missed === false;
  }

  /**
   * A newcomer gets the kept picture at once (FR3). The returned function removes it; the last one out stops the
   * capture.
   */
  addSink(sink: FrameSink): () => void {
    this.#sinks.add(sink);
    sink.captureChanged(this.state);
    if (this.#latest) sink.take(this.#latest, true);
    if (this.#run) this.#run.credit();
    else if (this.state.state !== 'lost') this.#start();
    return () => {
      if (this.#sinks.delete(sink) && this.#sinks.size === 0) this.#rest();
    };
  }

  /** A sink has room again: Chrome is told if that changes anything. Costs the same however many sinks there are. */
  credit(sink: FrameSink): void {
    const at = sink.wantsAt(this.init.clock.now());
    if (at === undefined || at >= (isEager(sink) ? this.#wants.eagerAt : this.#wants.pacedAt)) return;
    this.#run?.credit();
  }

  /** A person drives: as fast as Chrome can (FR1). */
  setKeen(keen: boolean): void {
    this.#keen = keen;
    this.#run?.credit();
  }

  /**
   * Why no pictures can come just now (a dialog, a script that hangs); undefined when they can again. Nothing is
   * restarted.
   */
  setPaused(reason: string | undefined): void {
    if (this.#paused === reason) return;
    this.#paused = reason;
    this.#tellState();
    if (reason === undefined) this.#run?.refresh();
  }

  /** The page is gone for now; `restart` brings it back. */
  setLost(reason: string): void {
    if (this.#gone === reason) return;
    this.#gone = reason;
    this.#stop();
    this.#tellState();
  }

  /** The tab is back after a crash, or has other sessions than before. */
  restart(): void {
    this.#gone = undefined;
    this.#rest();
    if (this.#sinks.size === 0) return;
    this.#tellState();
    this.#start();
  }

  /** The page may look different without having moved: a sharp picture follows. */
  refresh(): void {
    this.#run?.refresh();
  }

  /** Forgets the kept picture, so that no newcomer sees it. */
  forget(): void {
    this.#latest = undefined;
    this.#run?.refresh();
  }

  /** Ends the capture, also while it has viewers. */
  dispose(): void {
    this.#sinks.clear();
    this.#latest = undefined;
    this.#stop();
  }

  #start(): void {
    const { tier, clock } = this.init;
    this.#run = new CaptureRun({
      sessions: this.init,
      tier: TIERS[tier],
      clock,
      wants: () => this.#askSinks(),
      quietMs: () => (this.#keen ? TIERS[tier].driveQuietMs : TIERS[tier].quietMs),
      maySharpen: () => this.#paused === undefined,
      onFrame: (frame, sort) => this.#publish(frame, sort),
      onLost: (reason) => this.#ended(reason),
    });
    void this.#run.start();
  }

  #stop(): void {
    this.#retry.stop();
    void this.#run?.stop();
    this.#run = undefined;
  }

  /** The next first viewer may try again at once. */
  #rest(): void {
    this.#stop();
    this.#failed = undefined;
    this.#failures = 0;
  }

  #ended(reason: string): void {
    if (this.#failed === undefined)
      this.init.logger.info({ tab: this.init.tabId, kind: this.init.tier, reason }, 'a capture ended');
    this.#failed = reason;
    this.#run = undefined;
    this.#tellState();
    const waitMs = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? RETRY_MS[0];
    this.#failures += 1;
    this.#retry.start(waitMs, () => this.#start());
  }

  /** There are pictures again. */
  #recovered(): void {
    this.#failed = undefined;
    this.#failures = 0;
    this.#tellState();
  }

  #publish(frame: ScreencastFrame, sort: Picture['sort']): void {
    const { stamp, clock, counters, tier } = this.init;
    const picture = { ...stamp.describe(frame, clock.now()), seq: (this.#seq += 1), sort };
    this.#latest = picture;
    if (this.#failed !== undefined) this.#recovered();
    counters.frame(sort === 'still' ? 'still' : 'captured', tier);
    for (const sink of this.#sinks) sink.take(picture, false);
  }

  /** Asked anew with every picture; between two pictures wants only come nearer. */
  #askSinks(): SinkDemand {
    const now = this.init.clock.now();
    const wants = { ...NOBODY };
    for (const sink of this.#sinks) {
      const at = sink.wantsAt(now);
      if (at === undefined) continue;
      if (isEager(sink)) wants.eagerAt = Math.min(wants.eagerAt, at);
      else wants.pacedAt = Math.min(wants.pacedAt, at);
      if (!isEager(sink)) wants.pacedEveryMs = Math.min(wants.pacedEveryMs, intervalOf(sink.fps));
    }
    return (this.#wants = wants);
  }

  #tellState(): void {
    for (const sink of this.#sinks) sink.captureChanged(this.state);
  }
}

function isEager(sink: FrameSink): boolean {
  return sink.fps >= UNPACED_FPS;
}
