import { Timer } from '@/lib/async/timers';
import type { DialogView } from '@/lib/actions/reply';
import { dialogMessage } from '@/server/browser/dialogs';
import type { Tab } from '@/server/browser/tab';
import type { Feature } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import type { SessionTab } from '@/server/session/session-tab';

/**
 * Closes a dialog that an agent left unanswered, which would block its tab for ever. While a person holds the lease,
 * waits again.
 */
class DialogPolicy {
  readonly #timer: Timer;

  constructor(
    private readonly kernel: SessionKernel,
    private readonly tab: Tab,
  ) {
    this.#timer = new Timer(kernel.services.clock);
  }

  opened(dialog: DialogView): void {
    this.#timer.start(this.kernel.services.timings.dialogPatienceMs, () => void this.#due(dialog));
  }

  dispose(): void {
    this.#timer.stop();
  }

  async #due(dialog: DialogView): Promise<void> {
    if (this.tab.dialogs.current?.id !== dialog.id) return;
    if (this.kernel.personHolds(this.tab.id)) return this.opened(dialog);
    // Accepts a `beforeunload` dialog, because the agent asked to leave the page; dismisses all others.
    const accept = dialog.type === 'beforeunload';
    await this.tab.sessions.commands.sendMayFail('Page.handleJavaScriptDialog', { accept });
  }
}

function follow(kernel: SessionKernel, sessionTab: SessionTab): void {
  const { tab } = sessionTab;
  const policy = new DialogPolicy(kernel, tab);
  sessionTab.onDispose(() => policy.dispose());
  tab.dialogs.onOpen.on((dialog) => {
    void kernel.timeline.tell({ kind: 'dialog', said: dialogMessage(dialog), tab: tab.id });
    policy.opened(dialog);
  });
  tab.dialogs.onSilenced.on(
    () => void kernel.timeline.tell({ kind: 'dialog', said: { code: 'dialogsSilenced' }, tab: tab.id }),
  );
}

/** Writes dialogs of pages to the timeline, and closes those that stay unanswered (DI1). */
export const dialogs: Feature = {
  name: 'dialogs',
  start: (kernel) => {
    kernel.registry.onAdded.on((sessionTab) => follow(kernel, sessionTab));
    return {};
  },
};
