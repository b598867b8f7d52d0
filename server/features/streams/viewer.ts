import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';
import { creditExpectedAt, emptyWindow, hasRoom, painted, sent } from '@/lib/stream/credit-window';
import { freshPace, intervalOf, mayPassAt, passed } from '@/lib/stream/pace';
import type { CaptureState, Picture } from '@/lib/stream/picture';
import { PaintTally } from '@/lib/stream/paint-tally';
import { afterCalm, afterLook, calmAt, tierOf, type Quality, type TierReason } from '@/lib/stream/quality';
import { UNPACED_FPS, type Tier } from '@/lib/stream/tiers';
import { judgeView, sameView, type ViewJudgement, type ViewFacts } from '@/lib/stream/view-state';
import type { FrameCounters, FrameSink } from '@/server/browser/frame-sink';

/**
 * Called before every picture: undefined lets it pass; a reason (for people) holds it back (private hold, revocation).
 */
export type PictureGate = () => string | undefined;

/** Sends one picture to the viewer's socket; the receiver calls `painted` once the client has shown it (FR2). */
export type SendFrame = (meta: FrameMeta, picture: Uint8Array, painted: () => void) => void;

/** What a viewer needs of its capture. */
export interface ViewedCapture {
  readonly fps: number;
  /** The viewer gets its last picture at once, and all later ones until it calls the returned function. */
  addSink(viewer: FrameSink): () => void;
  /** Takes a picture soon, because a viewer may have none of this capture. */
  refresh(): void;
  isCurrent(picture: Picture): boolean;
  credit(viewer: FrameSink): void;
}

export interface ViewerInit {
  readonly stream: string;
  readonly tab: string;
  readonly quality: Quality;
  /** The viewer's own ceiling, pictures per second. */
  readonly maxFps: number;
  readonly gate: PictureGate;
  /** Whether the page is known to have no secret for this viewer; without it, it is (AU4). */
  readonly isClear?: () => boolean;
  readonly send: SendFrame;
  readonly status: (status: StreamStatus) => void;
  /** Called when `isShown` has changed. */
  readonly onShown?: (() => void) | undefined;
  /** The tab's capture of a tier, which all viewers of that tier share. */
  readonly captures: (tier: Tier) => ViewedCapture;
  /** Called once, when the viewer has ended. */
  readonly closed: () => void;
  readonly clock: Clock;
  readonly counters: FrameCounters;
}

interface WaitingPicture {
  readonly picture: Picture;
  readonly sort: FrameMeta['sort'];
}

/** Older pictures are not sent, unless there is no newer one. Milliseconds. */
const OLDEST_SENT_MS = 1_000;
/** A viewer with a picture unpainted for this long counts as stalled. Milliseconds. */
const STALLED_MS = 2_000;
const LEAST_MOTION_MS = 1_000;

/**
 * One viewer: a slot for the newest picture, and a small credit (FR2). It queues nothing, so a viewer that stops
 * reading costs one slot and slows no other; when it reads again it gets the newest picture first.
 */
export class Viewer implements FrameSink {
  #slot: WaitingPicture | undefined;
  #window = emptyWindow;
  #pace = freshPace;
  #ticket = 0;
  #newest = 0;
  #quality: Quality;
  #capture: ViewedCapture;
  #tier: Tier;
  #because: TierReason;
  #cover: FrameSink | undefined;
  #leave: (() => void) | undefined;
  #tally: PaintTally;
  /** CSS pixels of the page, by the newest picture. */
  #pageWidth = 0;
  #captureState: CaptureState = { state: 'running' };
  #judged: ViewJudgement | undefined;
  #motions: readonly number[] = [];
  #lastLagMs = 0;
  #stalled = false;
  #wasShown = false;
  #closed = false;
  readonly #pumping: Timer;
  readonly #judging: Timer;
  readonly #calming: Timer;

  constructor(private readonly init: ViewerInit) {
    this.#quality = init.quality;
    ({ tier: this.#tier, because: this.#because } = tierOf(init.quality, this.#pageWidth));
    this.#capture = init.captures(this.#tier);
    this.#tally = new PaintTally(init.clock.now());
    this.#calming = new Timer(init.clock);
    this.#pumping = new Timer(init.clock);
    this.#judging = new Timer(init.clock);
  }

  /** Begins to take pictures: those that `cover` lets pass, which stands between the captures and this viewer. */
  start(cover?: FrameSink): void {
    this.#cover = cover;
    this.#leave = this.#capture.addSink(cover ?? this);
    this.#wasShown = this.isShown;
    this.#awaitCalm();
  }

  get fps(): number {
    return Math.min(this.init.maxFps, this.#capture.fps);
  }

  /** Whether the gate lets pictures pass, and those of now would have no secret. */
  get isShown(): boolean {
    return this.init.gate() === undefined && this.init.isClear?.() !== false;
  }

  /** Its choice, and what is known of its link. */
  get quality(): Quality {
    return this.#quality;
  }

  /**
   * Sets what decides the tier, and changes to that tier's capture. Credit, pace and the waiting picture stay (FR6).
   */
  setQuality(quality: Quality): void {
    if (this.#closed) return;
    this.#quality = quality;
    const { tier, because } = tierOf(quality, this.#pageWidth);
    const same = tier === this.#tier && because === this.#because;
    this.#because = because;
    if (tier !== this.#tier) this.#moveTo(tier);
    this.#awaitCalm();
    if (!same) this.#tell();
  }

  take(picture: Picture, kept: boolean): void {
    // Drops a picture older than the newest one taken: from an earlier run, or late (F21).
    if (this.#closed || picture.seq <= this.#newest) return;
    if (!kept && picture.sort === 'motion') this.#motions = [...this.#motions.slice(-1), this.init.clock.now()];
    if (this.#slot) this.#count('dropped');
    this.#newest = Math.max(this.#newest, picture.seq);
    this.#slot = { picture, sort: kept ? 'cached' : picture.sort };
    if (picture.width !== this.#pageWidth) this.#pageIs(picture.width);
    this.#pump();
    this.#judge();
  }

  wantsAt(now: number): number | undefined {
    if (this.#closed || this.init.gate() !== undefined) return undefined;
    const credit = creditExpectedAt(this.#window, now);
    return credit === undefined ? undefined : Math.max(credit, mayPassAt(this.#pace, this.fps), now);
  }

  captureChanged(state: CaptureState): void {
    this.#captureState = state;
    this.#pump();
    this.#judge();
  }

  /** Call after the gate, the rate or `isClear` has changed. */
  refresh(): void {
    this.#pump();
    this.#judge();
    if (this.#closed) return;
    this.#capture.credit(this);
    const before = this.#wasShown;
    this.#wasShown = this.isShown;
    if (this.#wasShown !== before) this.init.onShown?.();
  }

  /** Ends the viewer; it then sends neither pictures nor status. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#slot = undefined;
    for (const timer of [this.#pumping, this.#judging, this.#calming]) timer.stop();
    this.#leave?.();
    this.init.closed();
  }

  #pump(): void {
    this.#pumping.stop();
    const slot = this.#slot;
    if (this.#closed || !slot) return;
    if (this.init.gate() !== undefined) return void (this.#slot = undefined);
    if (!hasRoom(this.#window)) return;
    const now = this.init.clock.now();
    const early = mayPassAt(this.#pace, this.fps) - now;
    if (early > 0) return this.#pumping.start(early, () => this.#pump());
    this.#slot = undefined;
    this.#pass(slot, now);
  }

  #pass({ picture, sort }: WaitingPicture, now: number): void {
    const ageMs = Math.max(0, Math.round(now - picture.takenAt));
    const old = ageMs > OLDEST_SENT_MS;
    // Dropped: the open credit makes Chrome send a newer picture at once.
    if (old && sort !== 'cached' && !this.#capture.isCurrent(picture)) return this.#count('dropped');
    const ticket = ++this.#ticket;
    this.#window = sent(this.#window, { ticket, sentAt: now, since: old ? now : picture.takenAt });
    if (!hasRoom(this.#window)) this.#tally.full(now);
    this.#pace = passed(this.#pace, this.fps, now);
    this.#count('sent');
    this.init.send(this.#meta(picture, old ? 'cached' : sort, ageMs), picture.data, () => this.#painted(ticket));
  }

  #painted(ticket: number): void {
    if (this.#closed) return;
    const now = this.init.clock.now();
    const flight = this.#window.inFlight.find((one) => one.ticket === ticket);
    const { window, verdict } = painted(this.#window, ticket, now, 1_000 / Math.min(this.fps, UNPACED_FPS));
    if (!flight || verdict !== 'credited') return this.#count('refused');
    this.#window = window;
    this.#lastLagMs = now - flight.since;
    this.#stalled = false;
    this.#pump();
    this.#capture.credit(this);
    this.#look(flight.sentAt, now);
    this.#judge();
  }

  #judge(): void {
    this.#judging.stop();
    if (this.#closed) return;
    const now = this.init.clock.now();
    this.#noteStall(now);
    const before = this.#judged?.view;
    this.#judged = judgeView(this.#judged, this.#sight(), now);
    const { view, recheckInMs } = this.#judged;
    if (recheckInMs !== undefined) this.#judging.start(Math.max(1, recheckInMs), () => this.#judge());
    if (!sameView(before, view)) this.#tell();
  }

  #tell(): void {
    const { stream, tab, status } = this.init;
    if (this.#judged) status({ stream, tab, ...this.#judged.view, tier: this.#tier, because: this.#because });
  }

  #moveTo(tier: Tier): void {
    this.#leave?.();
    this.#tier = tier;
    this.#capture = this.init.captures(tier);
    this.#tally = new PaintTally(this.init.clock.now());
    this.#leave = this.#capture.addSink(this.#cover ?? this);
    // The last picture of a running capture may be older than the one that the viewer has.
    this.#capture.refresh();
  }

  #pageIs(width: number): void {
    this.#pageWidth = width;
    this.setQuality(this.#quality);
  }

  /** Looks at the viewer's link by the pictures that it painted, twice a second. */
  #look(sentAt: number, now: number): void {
    if (this.#quality.choice !== 'auto') return;
    const leastMs = this.#window.least?.ms ?? 0;
    const look = this.#tally.painted(sentAt, now, { leastMs, fps: this.fps });
    if (look) this.setQuality(afterLook(this.#quality, look, this.#pageWidth));
  }

  #awaitCalm(): void {
    const at = calmAt(this.#quality, this.#pageWidth);
    if (at === undefined) return this.#calming.stop();
    const inMs = Math.max(1, at - this.init.clock.now());
    this.#calming.start(inMs, () => this.setQuality(afterCalm(this.#quality, this.init.clock.now(), this.#pageWidth)));
  }

  #sight(): ViewFacts {
    const held = this.init.gate();
    return {
      stop: held === undefined ? stopOf(this.#captureState) : { state: 'paused', reason: held },
      motions: this.#motions,
      motionMs: Math.max(LEAST_MOTION_MS, 2.5 * intervalOf(this.fps)),
      waitingSince: this.#window.inFlight[0]?.since,
      lastLagMs: this.#lastLagMs,
    };
  }

  #noteStall(now: number): void {
    const [oldest] = this.#window.inFlight;
    if (this.#stalled || !oldest || now - oldest.sentAt < STALLED_MS) return;
    this.#stalled = true;
    this.#count('stalled');
  }

  #meta(picture: Picture, sort: FrameMeta['sort'], ageMs: number): FrameMeta {
    const { seq, geometry, width, height, pageScale, offsetTop, scrollX, scrollY, format } = picture;
    return {
      stream: this.init.stream,
      tab: this.init.tab,
      seq,
      geometry,
      width,
      height,
      pageScale,
      offsetTop,
      scrollX,
      scrollY,
      ageMs,
      sort,
      format,
    };
  }

  #count(step: 'sent' | 'dropped' | 'refused' | 'stalled'): void {
    this.init.counters.frame(step, this.#tier);
  }
}

function stopOf(capture: CaptureState): ViewFacts['stop'] {
  return capture.state === 'running' ? undefined : capture;
}
