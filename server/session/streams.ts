import type { Clock } from '@/lib/budget/clock';
import type { HealthView, StreamStatus } from '@/lib/protocol/views';
import type { Picture } from '@/lib/stream/picture';
import type { Tier } from '@/lib/stream/tiers';
import type { PictureSessions } from '@/server/browser/cast';
import type { FrameCounters, FrameSink } from '@/server/browser/frame-sink';
import { PictureStamp } from '@/server/browser/picture-stamp';
import { Screencast } from '@/server/browser/screencast';
import type { Logger } from '@/server/telemetry/logger';
import { Viewer, type PictureGate, type SendFrame } from './viewer';

export interface StreamsInit extends PictureSessions {
  readonly tabId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: FrameCounters;
  /** Why this participant may not see the tab now (CO8); nobody in particular is asked for by undefined. */
  readonly hides?: ((viewer: string | undefined) => string | undefined) | undefined;
}

export interface StreamRequest {
  /** Names the stream to the client. */
  readonly stream: string;
  readonly tier: Tier;
  /** The viewer's own ceiling, pictures per second. */
  readonly maxFps?: number | undefined;
  readonly gate: PictureGate;
  /** Which participant looks. */
  readonly viewer?: string | undefined;
  /** Both may be called before `open` returns. */
  readonly send: SendFrame;
  readonly status: (status: StreamStatus) => void;
}

export interface OpenStream {
  readonly id: string;
  /** The gate has opened or closed. */
  refresh(): void;
  /** No picture leaves after this. */
  close(): void;
}

/** All captures of one tab, at most one a tier (FR1), and those who look at them. */
export class Streams {
  readonly #stamp = new PictureStamp();
  readonly #captures = new Map<Tier, Screencast>();
  readonly #viewers = new Set<OpenStream>();
  #driven = false;
  #health: Pick<HealthView, 'state' | 'reason'> = { state: 'ready', reason: '' };
  #paused: string | undefined;
  /** Why there will be no picture of this page any more. */
  #over: string | undefined;

  constructor(private readonly init: StreamsInit) {}

  /** The geometry that input must name to be accepted (FR4). */
  get geometry(): number {
    return this.#stamp.geometry;
  }

  /** How many look on. */
  get size(): number {
    return this.#viewers.size;
  }

  open(wish: StreamRequest): OpenStream {
    const capture = this.#capture(wish.tier);
    const { tabId: tab, clock, counters } = this.init;
    const gate: PictureGate = () => wish.gate() ?? this.init.hides?.(wish.viewer);
    const viewer = new Viewer({
      ...wish,
      gate,
      tab,
      capture,
      clock,
      counters,
      maxFps: wish.maxFps ?? Number.POSITIVE_INFINITY,
    });
    const remove = capture.addSink(viewer);
    const open: OpenStream = {
      id: wish.stream,
      refresh: () => viewer.refresh(),
      close: () => {
        viewer.close();
        this.#viewers.delete(open);
        remove();
      },
    };
    this.#viewers.add(open);
    return open;
  }

  /** A sink that is no viewer, for example a recording. The returned function removes it. */
  addSink(tier: Tier, sink: FrameSink): () => void {
    return this.#capture(tier).addSink(this.#veiled(sink));
  }

  /** A person has the wheel: pictures come as fast as Chrome gives them (FR1). */
  setDriver(human: boolean): void {
    this.#driven = human;
    for (const capture of this.#captures.values()) capture.setKeen(human);
  }

  /** The main document was replaced: pictures taken from now on have another geometry. */
  documentChanged(): void {
    this.#stamp.documentChanged(this.init.clock.now());
    for (const capture of this.#captures.values()) capture.refresh();
  }

  /**
   * The page has another size: of a page at rest Chrome does not always send a picture then (Chromium 156). Source:
   * Page.frameResized.
   */
  resized(): void {
    for (const capture of this.#captures.values()) capture.refresh();
  }

  /** Tells viewers why the picture stands (SE5, FR5), and starts again when a crashed page is back. */
  healthChanged({ state, reason }: Pick<HealthView, 'state' | 'reason'>): void {
    const was = this.#health;
    if (was.state === state && was.reason === reason) return;
    this.#health = { state, reason };
    this.setPaused(state === 'dialog' || state === 'hung' ? reason : undefined);
    if (isGone({ state })) this.setLost(reason);
    else if (was.state === 'crashed' && this.#over === undefined) this.restart();
  }

  setPaused(reason: string | undefined): void {
    this.#paused = reason;
    for (const capture of this.#captures.values()) capture.setPaused(reason);
  }

  setLost(reason: string): void {
    for (const capture of this.#captures.values()) capture.setLost(reason);
  }

  /** The Chrome of the page is gone: nothing is tried again, whoever looks. */
  end(reason: string): void {
    this.#over = reason;
    this.setLost(reason);
  }

  /** The tab is back, or has other sessions than before. */
  restart(): void {
    for (const capture of this.#captures.values()) capture.restart();
  }

  /** The newest picture there is, of the largest tier that has one; none while the tab is held privately. */
  cachedFrame(): Picture | undefined {
    if (this.init.hides?.(undefined) !== undefined) return undefined;
    const pictures = [...this.#captures.values()].map((capture) => capture.latest);
    return pictures.filter((picture) => picture !== undefined).sort((a, b) => b.takenAt - a.takenAt)[0];
  }

  /**
   * The smallest picture of what the tab shows now, as far as the captures that run can know; undefined while nobody
   * watches, or while the tab is held privately.
   */
  atHand(): Picture | undefined {
    if (this.init.hides?.(undefined) !== undefined) return undefined;
    const pictures = [...this.#captures.values()].map((capture) =>
      capture.latest && capture.isRunning && capture.isCurrent(capture.latest) ? capture.latest : undefined,
    );
    return pictures.filter((picture) => picture !== undefined).sort((a, b) => a.data.byteLength - b.data.byteLength)[0];
  }

  /** Who may look has changed: what waits for those who may not is dropped at once. */
  refresh(): void {
    for (const viewer of this.#viewers) viewer.refresh();
  }

  /** A private moment is over: nothing that was captured before now is shown to anybody (CO8). */
  startAfresh(): void {
    for (const capture of this.#captures.values()) {
      capture.forget();
      if (this.#gone === undefined) capture.restart();
    }
    this.refresh();
  }

  /** Ends every capture and every viewer. */
  dispose(): void {
    for (const viewer of [...this.#viewers]) viewer.close();
    for (const capture of this.#captures.values()) capture.dispose();
    this.#captures.clear();
  }

  /** A sink that is nobody's eyes sees nothing that is private. */
  #veiled(sink: FrameSink): FrameSink {
    const hidden = (): boolean => this.init.hides?.(undefined) !== undefined;
    return {
      get fps() {
        return sink.fps;
      },
      take: (picture, kept) => void (hidden() || sink.take(picture, kept)),
      wantsAt: (now) => (hidden() ? undefined : sink.wantsAt(now)),
      captureChanged: (state) => sink.captureChanged(state),
    };
  }

  /** Why there is no page. */
  get #gone(): string | undefined {
    return this.#over ?? (isGone(this.#health) ? this.#health.reason : undefined);
  }

  #capture(tier: Tier): Screencast {
    const known = this.#captures.get(tier);
    if (known) return known;
    const capture = new Screencast({ ...this.init, tier, stamp: this.#stamp });
    capture.setKeen(this.#driven);
    capture.setPaused(this.#paused);
    if (this.#gone !== undefined) capture.setLost(this.#gone);
    this.#captures.set(tier, capture);
    return capture;
  }
}

function isGone({ state }: Pick<HealthView, 'state'>): boolean {
  return state === 'crashed' || state === 'closed';
}
