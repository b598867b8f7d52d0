import { isActionKind, kindOf } from '@/lib/actions/kinds';
import { messageOf } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import { TIERS } from '@/lib/stream/tiers';
import { StillCapture } from '@/server/browser/still-capture';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { PICTURES } from '@/server/session/feature-slots';
import { Slot } from '@/server/session/slot';
import type { SessionTab } from '@/server/session/session-tab';
import { ActionPictureStore, type CapturedPicture } from './action-picture-store';

/**
 * While the tab has a viewer, the current picture is taken this long after the action, when its last effects are
 * painted. Milliseconds.
 */
const PAINT_MS = 120;
/**
 * Most waits of `PAINT_MS` for a picture newer than the action's start: the page may change late, or the machine be
 * busy.
 */
const MOST_LOOKS = 8;
/**
 * While the tab has no viewer, a picture is captured for the row, at most one per tab in this interval. Milliseconds.
 */
const CAPTURE_EVERY_MS = 500;

/** A timeline row that waits for its picture. */
interface AwaitedPicture {
  readonly event: TimelineEvent;
  /** When its action began, monotonic milliseconds. */
  readonly since: number;
  /** Waits left for a picture newer than `since`. */
  looks: number;
  /** True when the wait was cancelled, because another action began or the tab closed. */
  over: boolean;
  cancel(): void;
}

/**
 * Adds a picture to each action's timeline row (TL2): what the tab shows between the end of the action and the start of
 * the next. Uses a viewer's current picture; without viewers captures a small one, and only after actions that may have
 * changed the page. No action waits for its picture.
 */
class ActionPictures implements Hooks {
  readonly #awaited = new Map<string, AwaitedPicture>();
  readonly #cameras = new Map<SessionTab, StillCapture>();
  readonly #capturedAt = new Map<SessionTab, number>();
  /** When the last action of a tab began, monotonic milliseconds. */
  readonly #begun = new WeakMap<SessionTab, number>();
  #closed = false;

  constructor(
    private readonly kernel: SessionKernel,
    private readonly store: ActionPictureStore,
  ) {
    kernel.timeline.onEvent.on((event) => this.#heard(event));
  }

  #heard(event: TimelineEvent): void {
    if (event.tab === undefined || !this.store.takesAny || this.#closed) return;
    if (event.phase === 'intent') {
      this.#next(event.tab);
      const sessionTab = this.kernel.registry.get(event.tab);
      if (sessionTab) this.#begun.set(sessionTab, this.kernel.services.clock.now());
    }
    if (event.phase === 'outcome' && isShown(event)) this.#ended(event.tab, event);
  }

  erase(): Promise<void> {
    return this.store.erase();
  }

  dispose(): void {
    this.#closed = true;
    this.store.close();
    for (const awaited of this.#awaited.values()) awaited.cancel();
    this.#awaited.clear();
    for (const camera of this.#cameras.values()) void camera.dispose();
    this.#cameras.clear();
  }

  /** The next action begins: the current picture is the last one that can show the previous action. */
  #next(tab: string): void {
    const awaited = this.#awaited.get(tab);
    if (!awaited) return;
    this.#forget(tab, awaited);
    this.#keepAtHand(tab, awaited.event);
  }

  #ended(tab: string, event: TimelineEvent): void {
    const sessionTab = this.kernel.registry.get(tab);
    if (!sessionTab || !isSeen(sessionTab) || this.kernel.visibility.visibilityEpoch(tab) === undefined) return;
    this.#next(tab);
    const watched = PICTURES.of(sessionTab).atHand() !== undefined;
    if (!watched && !changesPage(event)) return;
    const waitMs = watched
      ? PAINT_MS
      : Math.max(
          0,
          (this.#capturedAt.get(sessionTab) ?? -CAPTURE_EVERY_MS) + CAPTURE_EVERY_MS - this.kernel.services.clock.now(),
        );
    const awaited: AwaitedPicture = {
      event,
      since: this.#begun.get(sessionTab) ?? 0,
      looks: changesPage(event) ? MOST_LOOKS : 0,
      over: false,
      cancel: () => undefined,
    };
    this.#awaited.set(tab, awaited);
    this.#takeAfter(waitMs, tab, awaited);
  }

  #takeAfter(ms: number, tab: string, awaited: AwaitedPicture): void {
    awaited.cancel = this.kernel.services.clock.after(ms, () => void this.#take(tab, awaited));
  }

  async #take(tab: string, awaited: AwaitedPicture): Promise<void> {
    const sessionTab = this.kernel.registry.get(tab);
    const epoch = this.kernel.visibility.visibilityEpoch(tab);
    if (!sessionTab || epoch === undefined) return this.#forget(tab, awaited);
    awaited.looks -= 1;
    if (awaited.looks >= 0 && (PICTURES.of(sessionTab).atHand()?.takenAt ?? awaited.since) < awaited.since)
      return this.#takeAfter(PAINT_MS, tab, awaited);
    const shot = this.#atHand(sessionTab) ?? (changesPage(awaited.event) ? await this.#capture(sessionTab) : undefined);
    if (awaited.over) return;
    this.#forget(tab, awaited);
    if (shot && this.kernel.visibility.visibilityEpoch(tab) === epoch) this.#keep(awaited.event, shot);
  }

  #keepAtHand(tab: string, event: TimelineEvent): void {
    const sessionTab = this.kernel.registry.get(tab);
    const shot =
      sessionTab && this.kernel.visibility.visibilityEpoch(tab) !== undefined ? this.#atHand(sessionTab) : undefined;
    if (shot) this.#keep(event, shot);
  }

  #keep(event: TimelineEvent, shot: CapturedPicture): void {
    this.store.keep(event, shot).then(
      (picture) => picture && this.kernel.timeline.onPicture.emit({ ...event, picture }),
      (error: unknown) =>
        this.kernel.services.logger.warn({ error: messageOf(error) }, 'a picture of the timeline was not kept'),
    );
  }

  #atHand(sessionTab: SessionTab): CapturedPicture | undefined {
    const picture = PICTURES.of(sessionTab).atHand();
    if (!picture) return undefined;
    const { data, width, height, takenAt } = picture;
    return {
      data,
      width,
      height,
      at: new Date(Date.now() - Math.max(0, this.kernel.services.clock.now() - takenAt)).toISOString(),
    };
  }

  async #capture(sessionTab: SessionTab): Promise<CapturedPicture | undefined> {
    this.#capturedAt.set(sessionTab, this.kernel.services.clock.now());
    const frame = await this.#camera(sessionTab).take();
    if (!frame || this.#closed) return undefined;
    const { deviceWidth: width, deviceHeight: height } = frame.metadata;
    return { data: Buffer.from(frame.data, 'base64'), width, height, at: new Date().toISOString() };
  }

  #camera(sessionTab: SessionTab): StillCapture {
    const known = this.#cameras.get(sessionTab);
    if (known) return known;
    const { maxWidth, quality } = TIERS.thumbnail;
    const sessions = {
      attach: () => sessionTab.tab.attachPictures(),
      detach: (session: Parameters<typeof sessionTab.tab.detachPictures>[0]) => sessionTab.tab.detachPictures(session),
    };
    const camera = new StillCapture(sessions, { maxWidth, quality }, this.kernel.services.clock);
    this.#cameras.set(sessionTab, camera);
    sessionTab.onDispose(() => {
      this.#cameras.delete(sessionTab);
      this.#capturedAt.delete(sessionTab);
      void camera.dispose();
    });
    return camera;
  }

  #forget(tab: string, awaited: AwaitedPicture): void {
    awaited.over = true;
    awaited.cancel();
    if (this.#awaited.get(tab) === awaited) this.#awaited.delete(tab);
  }
}

/** False for a tab that is behind a dialog, hung or crashed. */
function isSeen({ tab: { health } }: SessionTab): boolean {
  return health.state === 'ready' || health.state === 'loading';
}

/**
 * False for typing into a field that is or may be secret, and for a person's raw input, whose fields are known only
 * later (SN6).
 */
function isShown({ kind, deed }: TimelineEvent): boolean {
  if (!isActionKind(kind)) return false;
  return kindOf({ kind }).pictureShowsValue !== true || deed?.value !== undefined;
}

function changesPage({ kind }: TimelineEvent): boolean {
  return isActionKind(kind) && kindOf({ kind }).access !== 'read';
}

/** The pictures of a session's timeline. */
export const ACTION_PICTURES = new Slot<ActionPictureStore>('action pictures');

export const actionPictures: Feature = {
  name: 'action pictures',
  start: (kernel) => {
    const { picturesRoot, pictureBytes } = kernel.services;
    const store = new ActionPictureStore(picturesRoot, kernel.init.ledger, pictureBytes);
    ACTION_PICTURES.fill(kernel, store);
    return new ActionPictures(kernel, store);
  },
  forget: (ledger, { picturesRoot }) => new ActionPictureStore(picturesRoot, ledger, 0).erase(),
};
