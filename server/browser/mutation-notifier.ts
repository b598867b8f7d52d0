import type { TabFrames } from './frames/tab-frames';

/**
 * Fires when the page was quiet this long after a change, or at the latest `latestMs` after the first change.
 * Milliseconds.
 */
const BELL = { quietMs: 200, latestMs: 1_500 } as const;

/**
 * Settles at the next quiet moment after a change. Runs in an isolated world, where the page's scripts can neither see
 * nor disturb it.
 */
const WAIT_FOR_CHANGE = `new Promise((done) => {
  let quiet, latest;
  const observer = new MutationObserver(() => changed());
  const events = ['input', 'change', 'focusin', 'toggle'];
  const finish = () => {
    clearTimeout(quiet);
    clearTimeout(latest);
    observer.disconnect();
    for (const event of events) document.removeEventListener(event, changed, true);
    done(true);
  };
  const changed = () => {
    clearTimeout(quiet);
    quiet = setTimeout(finish, ${BELL.quietMs});
    latest ??= setTimeout(finish, ${BELL.latestMs});
  };
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const event of events) document.addEventListener(event, changed, true);
})`;

/** The most frames that are watched. */
const MOST_FRAMES = 50;

/** The part of the tab's frames that the notifier needs. */
export type WatchedFrames = Pick<TabFrames, 'list' | 'of' | 'onDocument' | 'onChange'>;

/**
 * Fires when the page or one of its frames in any process changed and became quiet again (SN8). Idle without a
 * listener; never polls.
 */
export class MutationNotifier {
  #wanted = false;
  /** The frames that are watched now. */
  readonly #heard = new Set<string>();
  readonly #offs: readonly (() => void)[];

  constructor(
    private readonly frames: WatchedFrames,
    private readonly ring: () => void,
  ) {
    this.#offs = [
      frames.onDocument.on(() => {
        if (!this.#wanted) return;
        this.ring();
        this.#listen();
      }),
      frames.onChange.on(() => this.#listen()),
    ];
  }

  want(wanted: boolean): void {
    this.#wanted = wanted;
    this.#listen();
  }

  dispose(): void {
    this.#wanted = false;
    for (const off of this.#offs) off();
  }

  #listen(): void {
    if (!this.#wanted) return;
    for (const { frameId, loaderId, sessions } of this.frames.list().slice(0, MOST_FRAMES)) {
      if (sessions && loaderId !== '' && !this.#heard.has(frameId)) void this.#listenTo(frameId);
    }
  }

  async #listenTo(frameId: string): Promise<void> {
    this.#heard.add(frameId);
    while (this.#wanted && (await this.#changed(frameId))) this.ring();
    this.#heard.delete(frameId);
  }

  /** False when the document or its session ended and no other has taken its place yet. */
  async #changed(frameId: string): Promise<boolean> {
    const { loaderId, sessions } = this.frames.of(frameId) ?? {};
    if (!sessions) return false;
    try {
      const world = await sessions.bulk.send('Page.createIsolatedWorld', { frameId, worldName: 'wheelhouse-bell' });
      await sessions.bulk.send('Runtime.evaluate', {
        expression: WAIT_FOR_CHANGE,
        contextId: world.executionContextId,
        awaitPromise: true,
        returnByValue: true,
      });
      return true;
    } catch {
      // A new document replaced this one or is about to report itself.
      const now = this.frames.of(frameId);
      return now?.sessions !== undefined && (now.loaderId !== loaderId || now.sessions !== sessions);
    }
  }
}
