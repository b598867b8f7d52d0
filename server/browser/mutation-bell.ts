import type { CdpSession } from '@/server/cdp/session';
import type { PageWatch } from './page-watch';

/** After the first change: rung when the page was quiet this long, or at the latest after the second figure. Milliseconds. */
const BELL = { quietMs: 200, latestMs: 1_500 } as const;

/** Settles at the next quiet moment after a change. Runs in a world of its own, so the page's scripts neither see nor hinder it. */
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

/** Rings when the page changed and calmed down again (SN8). Costs nothing unless somebody listens; never polls. */
export class MutationBell {
  #wanted = false;
  #listening = false;
  readonly #offDocument: () => void;

  constructor(
    private readonly session: CdpSession,
    private readonly page: PageWatch,
    private readonly ring: () => void,
  ) {
    this.#offDocument = page.onDocument.on((_, main) => {
      if (!this.#wanted || !main) return;
      this.ring();
      void this.#listen();
    });
  }

  want(wanted: boolean): void {
    this.#wanted = wanted;
    if (wanted) void this.#listen();
  }

  dispose(): void {
    this.#wanted = false;
    this.#offDocument();
  }

  async #listen(): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    while (this.#wanted && (await this.#changed())) this.ring();
    this.#listening = false;
  }

  /** False when the document went away or the session ended; then the next document starts listening anew. */
  async #changed(): Promise<boolean> {
    const { frameId, loaderId } = this.page.document;
    try {
      const world = await this.session.send('Page.createIsolatedWorld', { frameId, worldName: 'wheelhouse-bell' });
      await this.session.send('Runtime.evaluate', { expression: WAIT_FOR_CHANGE, contextId: world.executionContextId, awaitPromise: true, returnByValue: true });
      return true;
    } catch {
      // A new document took its place while we waited, or is about to report itself.
      return this.page.document.loaderId !== loaderId && this.session.ended === undefined;
    }
  }
}
