import { withBudget } from '@/lib/budget/budget';
import { messageOf } from '@/lib/errors/error';
import { within, type SavedOrigin, type SavedState, type SavedTab } from '@/lib/state/saved';
import { readSavedCookies, readSavedOrigin } from '@/server/browser/state/saved';
import { Timers } from '@/lib/async/timers';
import type { ContextRef } from '@/server/session/context-ref';
import type { SessionKernel } from '@/server/session/kernel';
import type { SessionTab } from '@/server/session/session-tab';

/** Interval of saves (BR6), and delay of the save after a navigation. Milliseconds. */
const SAVE_EVERY_MS = 10_000;
const SAVE_SOON_MS = 1_000;
/** Deadline for reading the state of Chrome and the pages. Milliseconds. */
const READ_MS = 3_000;

/** What was saved, and when in monotonic milliseconds; `at` is undefined for what an earlier server saved. */
interface SavedSession {
  readonly state: SavedState;
  readonly at: number | undefined;
}

/**
 * Saves what restores a session when its Chrome is lost (BR5): addresses, cookies, and local storage of the sites its
 * tabs visited. Only for our own contexts in Chromes that we launched: the state of an attached Chrome belongs to its
 * owner. The file is sealed, and deleted when the session ends.
 */
export class Autosave {
  readonly #timers: Timers;
  /** By context number: origins in the order of their last visit. */
  readonly #origins: Map<string, SavedOrigin>[];
  #saved: SavedSession | undefined;
  #written = '';
  #saving: Promise<void> = Promise.resolve();

  constructor(private readonly kernel: SessionKernel) {
    const { kept } = kernel.init;
    this.#timers = new Timers(kernel.services.clock);
    if (kept) this.#saved = { state: kept, at: undefined };
    const before = kept ? [kept, ...(kept.more ?? [])] : [];
    this.#origins = before.map(({ origins }) => byOrigin(origins));
    kernel.registry.onAdded.on((sessionTab) => this.#follow(sessionTab));
    this.#plan();
  }

  get saved(): SavedSession | undefined {
    return this.#saved;
  }

  /** The session's tabs as they are now, for reopening. */
  tabs(): SavedTab[] {
    return this.kernel.registry.all().map((sessionTab) => asSaved(sessionTab, this.kernel.init.contextRef));
  }

  /** Saves changes now, after a save that is running. Never rejects. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  /** The session is over: deletes what was saved. */
  async erase(): Promise<void> {
    this.dispose();
    await this.#saving;
    await this.kernel.services.saved.remove(this.kernel.id);
  }

  dispose(): void {
    this.#timers.dispose();
  }

  /** False while the tabs are not what should be saved: while they are being reopened, and during a private hold. */
  #live(): boolean {
    return this.kernel.state === 'live' && !this.kernel.visibility.any;
  }

  #follow({ tab }: SessionTab): void {
    this.#timers.plan('soon', SAVE_SOON_MS, () => void this.save());
    tab.page.onDocument.on((_, main) => {
      if (main) this.#timers.plan('soon', SAVE_SOON_MS, () => void this.save());
    });
  }

  #plan(): void {
    this.#timers.plan('again', SAVE_EVERY_MS, () => void this.save().then(() => this.#plan()));
  }

  async #save(): Promise<void> {
    const { id, services } = this.kernel;
    const { contextRef } = this.kernel.init;
    if (
      this.#timers.disposed ||
      !this.#live() ||
      contextRef.contextId === undefined ||
      contextRef.browser.origin === 'attached' ||
      contextRef.browser.gone
    )
      return;
    try {
      const state = await this.#read(contextRef.contexts);
      // Chrome may have been lost during the read, and its tabs with it; the previous save is then the better one.
      if (!this.#live() || contextRef.browser.gone) return;
      this.#saved = { state, at: this.kernel.services.clock.now() };
      const text = JSON.stringify(state);
      if (text === this.#written) return;
      await services.saved.write(id, text);
      this.#written = text;
    } catch (error) {
      services.logger.warn({ reason: messageOf(error) }, 'what a session is brought back with was not saved');
    }
  }

  #read(contexts: readonly string[]): Promise<SavedState> {
    const {
      registry,
      services: { clock },
      init: { contextRef },
    } = this.kernel;
    return withBudget({ timeoutMs: READ_MS, clock }, async (budget) => {
      const answering = registry
        .all()
        .filter(
          ({ tab: { health, page } }) =>
            health.state === 'ready' || (health.state === 'loading' && page.awaited === undefined),
        );
      const parts = contexts.map(async (contextId, number) => {
        const here = answering.filter(({ tab }) => contextRef.numberOf(tab.contextId) === number);
        const [cookies, ...origins] = await Promise.all([
          readSavedCookies(budget, contextRef.browser, contextId),
          ...here.map(({ tab }) => readSavedOrigin(budget, tab)),
        ]);
        return { cookies, origins: this.#visited(number, origins) };
      });
      const [ordinary = { cookies: [], origins: [] }, ...more] = await Promise.all(parts);
      return { ...ordinary, tabs: this.tabs(), ...(more.length > 0 && { more }) };
    });
  }

  /** Merges a context's saved origins with those read now, as many as fit. */
  #visited(context: number, read: readonly (SavedOrigin | undefined)[]): SavedOrigin[] {
    const now = byOrigin(read.filter((origin) => origin !== undefined));
    const before = [...(this.#origins[context]?.values() ?? [])].filter(({ origin }) => !now.has(origin));
    const kept = within([...before, ...now.values()]);
    this.#origins[context] = byOrigin(kept);
    return kept;
  }
}

const byOrigin = (origins: readonly SavedOrigin[]): Map<string, SavedOrigin> =>
  new Map(origins.map((origin) => [origin.origin, origin]));

/** Describes a tab for reopening. */
export function asSaved({ tab }: SessionTab, contextRef: ContextRef): SavedTab {
  const context = contextRef.numberOf(tab.contextId);
  return {
    id: tab.id,
    ...(tab.label === undefined ? {} : { label: tab.label }),
    url: tab.url,
    lastRef: tab.refs.lastNumber,
    ...(context > 0 && { context }),
  };
}
