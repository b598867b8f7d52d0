import { createBudget, type Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import type { SnapshotPatch, SnapshotView } from '@/lib/protocol/views';
import type { SnapshotOptions } from '@/lib/snapshot/options';
import { dialogError } from '@/server/browser/dialogs';
import { MutationNotifier } from '@/server/browser/mutation-notifier';
import type { Tab } from '@/server/browser/tab';
import { privateMeanwhile } from '@/server/session/visibility';
import type { Logger } from '@/server/telemetry/logger';

/** Sends a snapshot or a patch; a patch applies to the revision sent before. */
export type SendSnapshot = (snapshot: SnapshotView | SnapshotPatch) => void;

interface SnapshotWatcher {
  /** Participant id. */
  readonly asker: string;
  readonly options: SnapshotOptions;
  readonly send: SendSnapshot;
  revision: number;
}

/** How long a build for watchers may take; they keep the last snapshot meanwhile. Milliseconds. */
const BUILD_MS = 10_000;

/**
 * Sends the tab's snapshot to its watchers after an action, at the end of a press or key, when `MutationNotifier` fires
 * and when a dialog closes; as a patch where that is shorter. One build serves all (SN8).
 */
export class SnapshotFeed {
  readonly #watchers = new Set<SnapshotWatcher>();
  readonly #mutationNotifier: MutationNotifier;
  readonly #offs: readonly (() => void)[];
  /** Budget of the running build. */
  #budget: Budget | undefined;
  #building = false;
  #again = false;

  constructor(
    private readonly tab: Tab,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** The visibility epoch; undefined during a private hold (CO8). */
    private readonly visibilityEpoch: () => number | undefined,
  ) {
    this.#mutationNotifier = new MutationNotifier(tab.frames, () => this.refresh());
    this.#offs = [
      tab.dialogs.onBlock.on((dialog) => this.#budget?.abort(dialogError(dialog))),
      tab.dialogs.onClose.on(() => this.refresh()),
    ];
  }

  /**
   * Starts watching: returns the first snapshot, and passes later ones to `send`. Throws BAD_REQUEST for a selector
   * that would reveal the contents of masked fields (CO8).
   */
  async watch(
    budget: Budget,
    asker: string,
    options: SnapshotOptions,
    send: SendSnapshot,
  ): Promise<{ first: SnapshotView; stop: () => void }> {
    this.tab.tools.privateFields.demandBlind(options);
    const visibilityEpoch = this.visibilityEpoch();
    const watcher: SnapshotWatcher = { asker, options, send, revision: -1 };
    this.#watchers.add(watcher);
    this.#mutationNotifier.want(true);
    const stop = (): void => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#mutationNotifier.want(false);
    };
    try {
      const first = await this.tab.snapshots.take(budget, { ...options, asker });
      if (visibilityEpoch === undefined || this.visibilityEpoch() !== visibilityEpoch) throw privateMeanwhile();
      watcher.revision = first.revision;
      return { first, stop };
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** Call when the page may have changed: builds once now, or once more after a running build. */
  refresh(): void {
    if (this.#watchers.size === 0) return;
    if (this.#building) this.#again = true;
    else void this.#build();
  }

  /** The tab became private: aborts the running build. */
  abortPrivate(): void {
    this.#budget?.abort(privateMeanwhile());
  }

  dispose(): void {
    this.#watchers.clear();
    this.#mutationNotifier.dispose();
    for (const off of this.#offs) off();
  }

  async #build(): Promise<void> {
    this.#building = true;
    do {
      this.#again = false;
      await this.#sendAll();
    } while (this.#again && this.#watchers.size > 0);
    this.#building = false;
  }

  /** Skips the build while a dialog is open: the page does not answer, and a refresh follows when the dialog closes. */
  async #sendAll(): Promise<void> {
    const visibilityEpoch = this.visibilityEpoch();
    if (visibilityEpoch === undefined || this.tab.dialogs.blocking()) return;
    const budget = createBudget({ timeoutMs: BUILD_MS, clock: this.clock });
    this.#budget = budget;
    try {
      // All ask at the same moment and so share one build.
      await Promise.all([...this.#watchers].map((watcher) => this.#sendTo(budget, watcher, visibilityEpoch)));
    } catch (error) {
      // The tab hangs, shows a dialog or is gone: its health says so, and the next change tries again.
      this.logger.debug({ tab: this.tab.id, reason: messageOf(error) }, 'no snapshot for the watchers');
    } finally {
      this.#budget = undefined;
      budget.dispose();
    }
  }

  async #sendTo(budget: Budget, watcher: SnapshotWatcher, visibilityEpoch: number): Promise<void> {
    // Fields were masked since the watch began: even the arrival of an update would reveal their contents.
    if (this.tab.tools.privateFields.guards(watcher.options)) return;
    const snapshot = await this.tab.snapshots.follow(
      budget,
      { ...watcher.options, asker: watcher.asker },
      watcher.revision,
    );
    if (this.visibilityEpoch() !== visibilityEpoch) return;
    if (snapshot.revision !== watcher.revision && this.#watchers.has(watcher)) watcher.send(snapshot);
    watcher.revision = snapshot.revision;
  }
}
