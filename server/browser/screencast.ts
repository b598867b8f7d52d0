import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { SinkDemand } from '@/lib/stream/ack-plan';
import { intervalOf } from '@/lib/stream/pace';
import type { CaptureState, Picture } from '@/lib/stream/picture';
import { TIERS, UNPACED_FPS, type Tier } from '@/lib/stream/tiers';
import type { Logger } from '@/server/telemetry/logger';
import { CaptureRun } from './capture-run';
import type { PictureSessions, ScreencastFrame } from './cdp-screencast';
import type { FrameCounters, FrameSink } from './frame-sink';
import type { PictureStamp } from './picture-stamp';

export interface ScreencastInit extends PictureSessions {
  readonly tabId: string;
  readonly tier: Tier;
  /** Geometry numbers and capture times, shared by all captures of the tab. */
  readonly stamp: PictureStamp;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: FrameCounters;
}

/** The pauses before a failed capture restarts; the last one repeats. Milliseconds. */
const RETRY_MS = [100, 300, 1_000, 3_000] as const;
const NOBODY: SinkDemand = {
  pacedAt: Number.POSITIVE_INFINITY,
  pacedEveryMs: Number.POSITIVE_INFINITY,
  unpacedAt: Number.POSITIVE_INFINITY,
};

/**
 * One capture of a tab at one tier with any number of sinks (FR1). The first sink starts it, the removal of the last
 * stops it. The most demanding sink with credit sets Chrome's pace; no sink waits for another. Chrome refuses a
 * screencast while a document is being replaced ("Not attached to an active page", Chromium 156), so a failed capture
 * restarts as long as it has sinks.
 */
export class Screencast {
  readonly #sinks = new Set<FrameSink>();
  #run: CaptureRun | undefined;
  #latest: Picture | undefined;
  #wants: SinkDemand = NOBODY;
  #driven = false;
  #paused: string | undefined;
  /** Why there is no page, as the tab reported it. */
  #gone: string | undefined;
  /** Why the last run failed. */
  #failed: string | undefined;
  /** Failed runs in a row without a picture. */
  #failures = 0;
  readonly #retry: Timer;

  constructor(private readonly init: ScreencastInit) {
    this.#retry = new Timer(init.clock);
  }

  /** The highest rate of pictures per second for any sink (FR1). */
  get fps(): number {
    const { driveFps, watchFps } = TIERS[this.init.tier];
    return this.#driven ? driveFps : watchFps;
  }

  get state(): CaptureState {
    const lost = this.#gone ?? this.#failed;
    if (lost !== undefined) return { state: 'lost', reason: lost };
    return this.#paused === undefined ? { state: 'running' } : { state: 'paused', reason: this.#paused };
  }

  /** The newest picture, also after the capture stopped. */
  get latest(): Picture | undefined {
    return this.#latest;
  }

  /** The capture runs and has not failed. */
  get isRunning(): boolean {
    return this.#run !== undefined && this.#failed === undefined;
  }

  /** Whether the page, as far as known, still looks like this picture; then it may be shown whatever its age. */
  isCurrent(picture: Picture): boolean {
    if (picture !== this.#latest) return false;
    return this.state.state !== 'running' || this.#run?.missed === false;
  }

  /**
   * Adds a sink and gives it the last picture at once (FR3). The returned function removes it; removing the last sink
   * stops the capture.
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

  /**
   * Call when a sink has credit again. Acknowledges frames only when that changes the pace; costs the same for any
   * number of sinks.
   */
  credit(sink: FrameSink): void {
    const at = sink.wantsAt(this.init.clock.now());
    if (at === undefined || at >= (isUnpaced(sink) ? this.#wants.unpacedAt : this.#wants.pacedAt)) return;
    this.#run?.credit();
  }

  /** Sets whether a person holds the lease: then Chrome may send at the higher rate of the tier (`driveFps`, FR1). */
  setDriven(driven: boolean): void {
    this.#driven = driven;
    this.#run?.credit();
  }

  /**
   * Sets why no pictures can come now, such as a dialog or a hung script; undefined when they can again. Does not
   * restart the capture.
   */
  setPaused(reason: string | undefined): void {
    if (this.#paused === reason) return;
    this.#paused = reason;
    this.#tellState();
    if (reason === undefined) this.#run?.refresh();
  }

  /** The page is gone for now; `restart` resumes the capture. */
  setLost(reason: string): void {
    if (this.#gone === reason) return;
    this.#gone = reason;
    this.#stop();
    this.#tellState();
  }

  /** Restarts after a crash or when the tab has new sessions. */
  restart(): void {
    this.#gone = undefined;
    this.#rest();
    if (this.#sinks.size === 0) return;
    this.#tellState();
    this.#start();
  }

  /** Takes a sharp picture soon, because the page may have changed without motion. */
  refresh(): void {
    this.#run?.refresh();
  }

  /** Drops the last picture, so that no new sink sees it. */
  forget(): void {
    this.#latest = undefined;
    this.#run?.refresh();
  }

  /** Ends the capture, also while it has sinks. */
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
      quietMs: () => (this.#driven ? TIERS[tier].driveQuietMs : TIERS[tier].quietMs),
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

  /** Stops and forgets failures, so that the next first sink starts a capture at once. */
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

  /** Clears the failures after a picture arrived. */
  #recovered(): void {
    this.#failed = undefined;
    this.#failures = 0;
    this.#tellState();
  }

  #publish(frame: ScreencastFrame, sort: Picture['sort']): void {
    const { stamp, clock, counters, tier } = this.init;
    const picture = { ...stamp.describe(frame, clock.now()), sort };
    this.#latest = picture;
    if (this.#failed !== undefined) this.#recovered();
    counters.frame(sort === 'still' ? 'still' : 'captured', tier);
    for (const sink of this.#sinks) sink.take(picture, false);
  }

  /** Collects the demand of all sinks; runs for every picture, because demands change with it. */
  #askSinks(): SinkDemand {
    const now = this.init.clock.now();
    const wants = { ...NOBODY };
    for (const sink of this.#sinks) {
      const at = sink.wantsAt(now);
      if (at === undefined) continue;
      if (isUnpaced(sink)) wants.unpacedAt = Math.min(wants.unpacedAt, at);
      else wants.pacedAt = Math.min(wants.pacedAt, at);
      if (!isUnpaced(sink)) wants.pacedEveryMs = Math.min(wants.pacedEveryMs, intervalOf(sink.fps));
    }
    return (this.#wants = wants);
  }

  #tellState(): void {
    for (const sink of this.#sinks) sink.captureChanged(this.state);
  }
}

/** Whether the sink takes every picture that Chrome sends. */
function isUnpaced(sink: FrameSink): boolean {
  return sink.fps >= UNPACED_FPS;
}
