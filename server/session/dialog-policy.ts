import { Timer } from '@/lib/async/timers';
import type { DialogView } from '@/lib/actions/reply';
import type { Clock } from '@/lib/budget/clock';
import type { Tab } from '@/server/browser/tab';

/** A dialog that nobody answers is dismissed after this, unless a person holds the tab (DI1). Milliseconds. */
const DIALOG_PATIENCE_MS = 10_000;

/**
 * Keeps a forgotten dialog from blocking an agent's tab for ever. Asks again while a person drives; they may take their
 * time.
 */
export class DialogPolicy {
  readonly #timer: Timer;

  constructor(
    private readonly tab: Tab,
    clock: Clock,
    private readonly personHolds: () => boolean,
  ) {
    this.#timer = new Timer(clock);
  }

  opened(dialog: DialogView): void {
    this.#timer.start(DIALOG_PATIENCE_MS, () => void this.#due(dialog));
  }

  dispose(): void {
    this.#timer.stop();
  }

  async #due(dialog: DialogView): Promise<void> {
    if (this.tab.dialogs.current?.id !== dialog.id) return;
    if (this.personHolds()) return this.opened(dialog);
    // Leaving a page is what the agent asked for; everything else is answered with "no".
    const accept = dialog.type === 'beforeunload';
    await this.tab.sessions.commands.sendMayFail('Page.handleJavaScriptDialog', { accept });
  }
}
