import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import type { HealthView, StreamStatus } from '@/lib/protocol/views';
import type { Picture } from '@/lib/stream/picture';
import type { Quality } from '@/lib/stream/quality';
import type { Tier } from '@/lib/stream/tiers';
import type { PictureSessions } from '@/server/browser/cdp-screencast';
import type { FrameCounters, FrameSink } from '@/server/browser/frame-sink';
import { PictureStamp } from '@/server/browser/picture-stamp';
import { Screencast } from '@/server/browser/screencast';
import type { Logger } from '@/server/telemetry/logger';
import { SecretCover, type SecretCoverInit } from './secret-cover';
import { Viewer, type PictureGate, type SendFrame } from './viewer';

export interface TabStreamsInit extends PictureSessions {
  readonly tabId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: FrameCounters;
  /** Reason why this participant may not see the tab now (CO8); with undefined, whether it is hidden from anyone. */
  readonly hides?: ((viewer: string | undefined) => string | undefined) | undefined;
  /** How the page is looked at for secrets. */
  readonly secrets: Pick<SecretCoverInit, 'look' | 'painted'>;
}

export interface StreamRequest {
  /** Names the stream to the client. */
  readonly stream: string;
  /** What decides the tier (FR6). */
  readonly quality: Quality;
  /** The viewer's own ceiling, pictures per second. */
  readonly maxFps?: number | undefined;
  readonly gate: PictureGate;
  /** Participant id of the viewer. */
  readonly viewer?: string | undefined;
  /** The viewer is a guest of a share link, who gets no picture with a secret (AU4). */
  readonly isGuest?: boolean | undefined;
  /** Both may be called before `open` returns. */
  readonly send: SendFrame;
  readonly status: (status: StreamStatus) => void;
  /** Called when `isShown` of the stream has changed. */
  readonly onShown?: () => void;
}

export interface OpenStream {
  /** Its choice, and what is known of the viewer's link. */
  readonly quality: Quality;
  /** Whether the viewer may see the page as it is at the moment; a guest of a page that was looked at for secrets. */
  readonly isShown: boolean;
  /** Changes to another tier if the quality says so. */
  setQuality(quality: Quality): void;
  /** Call after the gate has opened or closed. */
  refresh(): void;
  /** Ends the stream: no picture is sent afterwards. */
  close(): void;
}

/** The captures of one tab, at most one per tier (FR1), and their viewers. */
export class TabStreams {
  readonly #stamp = new PictureStamp();
  readonly #captures = new Map<Tier, Screencast>();
  readonly #viewers = new Set<Viewer>();
  readonly #cover: SecretCover;
  #driven = false;
  #health: Pick<HealthView, 'state' | 'reason'> = { state: 'ready', reason: '' };
  #paused: string | undefined;
  /** Reason why this page will send no more pictures. */
  #over: string | undefined;

  constructor(private readonly init: TabStreamsInit) {
    const { clock, secrets } = init;
    this.#cover = new SecretCover({ ...secrets, clock, refresh: () => this.resized() });
  }

  /** The present geometry number; input for another one is refused (FR4). */
  get geometry(): number {
    return this.#stamp.geometry;
  }

  /** Number of viewers. */
  get size(): number {
    return this.#viewers.size;
  }

  open(request: StreamRequest): OpenStream {
    const { tabId: tab, clock, counters } = this.init;
    const { viewer: participant, isGuest = false } = request;
    const covers = (): string | undefined =>
      isGuest && this.#paused === undefined ? this.#cover.reason(participant) : undefined;
    const gate: PictureGate = () => request.gate() ?? this.init.hides?.(participant) ?? covers();
    const viewer: Viewer = new Viewer({
      ...request,
      gate,
      isClear: () => !isGuest || this.#cover.isClear(participant),
      tab,
      captures: (tier) => this.#capture(tier),
      clock,
      counters,
      maxFps: request.maxFps ?? Number.POSITIVE_INFINITY,
      closed: () => {
        covered?.end();
        this.#viewers.delete(viewer);
      },
    });
    const covered = isGuest ? this.#cover.over(participant, viewer) : undefined;
    this.#viewers.add(viewer);
    viewer.start(covered);
    return viewer;
  }

  /** Adds a sink that is not a viewer, for example a recording. The returned function removes it. */
  addSink(tier: Tier, sink: FrameSink): () => void {
    return this.#capture(tier).addSink(this.#hiddenWhilePrivate(sink));
  }

  /** Sets who holds the lease: for a person pictures come as fast as Chrome sends them (FR1). */
  setHolder(holder: Holder | undefined): void {
    this.#driven = holder?.kind === 'human';
    for (const capture of this.#captures.values()) capture.setDriven(this.#driven);
    this.#cover.setHolder(holder?.id);
  }

  /** The main document was replaced: later pictures get a new geometry number. */
  documentChanged(): void {
    this.#stamp.documentChanged(this.init.clock.now());
    this.#cover.documentChanged();
    for (const capture of this.#captures.values()) capture.refresh();
  }

  /** The document of a frame was replaced or is gone. */
  frameChanged(): void {
    this.#cover.documentChanged();
  }

  /**
   * The page's size changed: requests a picture, because Chrome does not always send one of a page at rest (Chromium
   * 156). Source: Page.frameResized.
   */
  resized(): void {
    for (const capture of this.#captures.values()) capture.refresh();
  }

  /** Tells viewers why the picture stands still (SE5, FR5); restarts captures when a crashed page recovers. */
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

  /** The page's Chrome is gone: no capture is tried again. */
  end(reason: string): void {
    this.#over = reason;
    this.setLost(reason);
  }

  /** Restarts captures after the tab recovered or got other CDP sessions. */
  restart(): void {
    for (const capture of this.#captures.values()) capture.restart();
  }

  /**
   * The smallest current picture of the running captures; undefined while nobody watches or the tab is held privately.
   */
  atHand(): Picture | undefined {
    if (this.init.hides?.(undefined) !== undefined) return undefined;
    const pictures = [...this.#captures.values()].map((capture) =>
      capture.latest && capture.isRunning && capture.isCurrent(capture.latest) ? capture.latest : undefined,
    );
    return pictures.filter((picture) => picture !== undefined).sort((a, b) => a.data.byteLength - b.data.byteLength)[0];
  }

  /** Call when permissions to view changed: drops waiting pictures of viewers who may no longer see the tab. */
  refresh(): void {
    for (const viewer of this.#viewers) viewer.refresh();
  }

  /** A private hold ended: discards all pictures captured before, and restarts (CO8). */
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
    this.#cover.dispose();
    for (const capture of this.#captures.values()) capture.dispose();
    this.#captures.clear();
  }

  /** Wraps a sink so that it gets no pictures while the tab is held privately. */
  #hiddenWhilePrivate(sink: FrameSink): FrameSink {
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

  /** Reason why there is no page; undefined while there is one. */
  get #gone(): string | undefined {
    return this.#over ?? (isGone(this.#health) ? this.#health.reason : undefined);
  }

  #capture(tier: Tier): Screencast {
    const known = this.#captures.get(tier);
    if (known) return known;
    const capture = new Screencast({ ...this.init, tier, stamp: this.#stamp });
    capture.setDriven(this.#driven);
    capture.setPaused(this.#paused);
    if (this.#gone !== undefined) capture.setLost(this.#gone);
    this.#captures.set(tier, capture);
    return capture;
  }
}

function isGone({ state }: Pick<HealthView, 'state'>): boolean {
  return state === 'crashed' || state === 'closed';
}
