import { ACTION_ABOUT } from '@/lib/actions/about';
import type { ActionKind } from '@/lib/actions/kinds';
import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import { TIERS } from '@/lib/stream/tiers';
import { StillCamera } from '@/server/browser/still-camera';
import type { Logger } from '@/server/telemetry/logger';
import type { TabSeat } from '../tab-seat';
import type { Timeline } from '../timeline';
import type { Album, Shot } from './album';

/**
 * Where somebody watches, the picture at hand is taken so long after the action: its last effects are painted then.
 * Milliseconds.
 */
const PAINT_MS = 120;
/**
 * One that was taken before the action began shows what was there before, where the page changes later than that, or on
 * a busy machine: so often it is looked for again.
 */
const MOST_LOOKS = 8;
/** Where nobody does, one is taken for the purpose, at most so often in a tab. Milliseconds. */
const CAPTURE_EVERY_MS = 500;

export interface MomentsDeps {
  readonly album: Album;
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly logger: Logger;
  seat(tab: string): TabSeat | undefined;
  /**
   * A number that grows at both edges of a private hold; undefined during one (CO8): no picture is taken then, and none
   * that was begun under another number is kept.
   */
  sightNow(tab: string): number | undefined;
}

/** A row whose picture is still to come. */
interface Awaited {
  readonly event: TimelineEvent;
  /** When its action began, by the clock. */
  readonly since: number;
  /** For a newer picture than that. */
  looks: number;
  /** Called off: another action began, or the tab went. */
  over: boolean;
  cancel(): void;
}

/**
 * The picture of the moment beside each action (TL2): what the tab shows when the action has ended and before the next
 * begins. One that is at hand is used; a small one is taken only after what may have changed the page, while nobody
 * watches. Nobody waits for any of it.
 */
export class Moments {
  readonly #awaited = new Map<string, Awaited>();
  readonly #cameras = new Map<TabSeat, StillCamera>();
  readonly #capturedAt = new Map<TabSeat, number>();
  /** When the last action of a tab began; goes with its seat. */
  readonly #begun = new WeakMap<TabSeat, number>();
  #closed = false;

  constructor(private readonly deps: MomentsDeps) {
    deps.timeline.onEvent.on((event) => this.#heard(event));
  }

  get album(): Album {
    return this.deps.album;
  }

  #heard(event: TimelineEvent): void {
    if (event.tab === undefined || !this.deps.album.takesAny || this.#closed) return;
    if (event.phase === 'intent') {
      this.#next(event.tab);
      const seat = this.deps.seat(event.tab);
      if (seat) this.#begun.set(seat, this.deps.clock.now());
    }
    if (event.phase === 'outcome' && isShown(event)) this.#ended(event.tab, event);
  }

  dispose(): void {
    this.#closed = true;
    this.deps.album.close();
    for (const awaited of this.#awaited.values()) awaited.cancel();
    this.#awaited.clear();
    for (const camera of this.#cameras.values()) void camera.dispose();
    this.#cameras.clear();
  }

  /** The next action begins: what is at hand now is the last that shows the one before. */
  #next(tab: string): void {
    const awaited = this.#awaited.get(tab);
    if (!awaited) return;
    this.#forget(tab, awaited);
    this.#keepAtHand(tab, awaited.event);
  }

  #ended(tab: string, event: TimelineEvent): void {
    const seat = this.deps.seat(tab);
    if (!seat || !isSeen(seat) || this.deps.sightNow(tab) === undefined) return;
    this.#next(tab);
    const watched = seat.streams.atHand() !== undefined;
    if (!watched && !changesPage(event)) return;
    const waitMs = watched
      ? PAINT_MS
      : Math.max(0, (this.#capturedAt.get(seat) ?? -CAPTURE_EVERY_MS) + CAPTURE_EVERY_MS - this.deps.clock.now());
    const awaited: Awaited = {
      event,
      since: this.#begun.get(seat) ?? 0,
      looks: changesPage(event) ? MOST_LOOKS : 0,
      over: false,
      cancel: () => undefined,
    };
    this.#awaited.set(tab, awaited);
    this.#takeAfter(waitMs, tab, awaited);
  }

  #takeAfter(ms: number, tab: string, awaited: Awaited): void {
    awaited.cancel = this.deps.clock.after(ms, () => void this.#take(tab, awaited));
  }

  async #take(tab: string, awaited: Awaited): Promise<void> {
    const seat = this.deps.seat(tab);
    const sight = this.deps.sightNow(tab);
    if (!seat || sight === undefined) return this.#forget(tab, awaited);
    awaited.looks -= 1;
    if (awaited.looks >= 0 && (seat.streams.atHand()?.takenAt ?? awaited.since) < awaited.since)
      return this.#takeAfter(PAINT_MS, tab, awaited);
    const shot = this.#atHand(seat) ?? (changesPage(awaited.event) ? await this.#capture(seat) : undefined);
    if (awaited.over) return;
    this.#forget(tab, awaited);
    if (shot && this.deps.sightNow(tab) === sight) this.#keep(awaited.event, shot);
  }

  #keepAtHand(tab: string, event: TimelineEvent): void {
    const seat = this.deps.seat(tab);
    const shot = seat && this.deps.sightNow(tab) !== undefined ? this.#atHand(seat) : undefined;
    if (shot) this.#keep(event, shot);
  }

  #keep(event: TimelineEvent, shot: Shot): void {
    this.deps.album.keep(event, shot).then(
      (picture) => picture && this.deps.timeline.onPicture.emit({ ...event, picture }),
      (error: unknown) => this.deps.logger.warn({ error: messageOf(error) }, 'a picture of the timeline was not kept'),
    );
  }

  #atHand(seat: TabSeat): Shot | undefined {
    const picture = seat.streams.atHand();
    if (!picture) return undefined;
    const { data, width, height, takenAt } = picture;
    return {
      data,
      width,
      height,
      at: new Date(Date.now() - Math.max(0, this.deps.clock.now() - takenAt)).toISOString(),
    };
  }

  async #capture(seat: TabSeat): Promise<Shot | undefined> {
    this.#capturedAt.set(seat, this.deps.clock.now());
    const frame = await this.#camera(seat).take();
    if (!frame || this.#closed) return undefined;
    const { deviceWidth: width, deviceHeight: height } = frame.metadata;
    return { data: Buffer.from(frame.data, 'base64'), width, height, at: new Date().toISOString() };
  }

  #camera(seat: TabSeat): StillCamera {
    const known = this.#cameras.get(seat);
    if (known) return known;
    const { maxWidth, quality } = TIERS.thumbnail;
    const sessions = {
      attach: () => seat.tab.attachPictures(),
      detach: (session: Parameters<typeof seat.tab.detachPictures>[0]) => seat.tab.detachPictures(session),
    };
    const camera = new StillCamera(sessions, { maxWidth, quality }, this.deps.clock);
    this.#cameras.set(seat, camera);
    seat.onDispose(() => {
      this.#cameras.delete(seat);
      this.#capturedAt.delete(seat);
      void camera.dispose();
    });
    return camera;
  }

  #forget(tab: string, awaited: Awaited): void {
    awaited.over = true;
    awaited.cancel();
    if (this.#awaited.get(tab) === awaited) this.#awaited.delete(tab);
  }
}

/** Not behind a dialog, hung or gone. */
function isSeen({ tab: { health } }: TabSeat): boolean {
  return health.state === 'ready' || health.state === 'loading';
}

/**
 * Typing into a field that is or may be secret has no picture, nor has a person's raw input, whose fields are known
 * only later (SN6).
 */
function isShown({ kind, deed }: TimelineEvent): boolean {
  return isAction(kind) && (kind !== 'type' || deed?.value !== undefined);
}

function changesPage({ kind }: TimelineEvent): boolean {
  return isAction(kind) && ACTION_ABOUT[kind].access !== 'read';
}

const isAction = (kind: string): kind is ActionKind => Object.hasOwn(ACTION_ABOUT, kind);
