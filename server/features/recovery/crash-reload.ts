import { withCrash } from '@/lib/recovery/crash-log';
import type { Tab } from '@/server/browser/tab';
import type { Feature } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';

/** Number of crashes of a page within ten minutes that are repaired automatically (F3). */
const PAGE_CRASHES = 1;
/** Only these addresses are opened again. */
const WEB = /^https?:/i;

/** Reopens a page once after its process crashed; after another crash leaves it to people and agents (CO9, F3). */
class CrashReload {
  #crashes: readonly number[] = [];
  #crashed = false;

  constructor(
    private readonly kernel: SessionKernel,
    private readonly tab: Tab,
  ) {
    tab.onChange.on(() => this.#look());
  }

  #look(): void {
    const crashed = this.tab.health.state === 'crashed';
    if (crashed === this.#crashed) return;
    this.#crashed = crashed;
    if (crashed) this.#mend();
  }

  #mend(): void {
    const { url } = this.tab.page;
    this.#crashes = withCrash(this.#crashes, this.kernel.services.clock.now());
    const again = this.#crashes.length <= PAGE_CRASHES;
    const mends = again && this.kernel.init.policy.reloadCrashed !== false && WEB.test(url);
    const said = { code: mends ? 'pageCrashedMended' : again ? 'pageCrashed' : 'pageCrashedAgain' } as const;
    void this.kernel.timeline.tell({ kind: 'tab', said, tab: this.tab.id });
    // Navigates to the address: a reload would submit a form again (measured on Chromium 156), and nothing may be
    // repeated automatically.
    if (mends) void this.tab.sessions.commands.sendMayFail('Page.navigate', { url });
  }
}

export const crashReload: Feature = {
  name: 'crash-reload',
  start: (kernel) => {
    kernel.registry.onAdded.on(({ tab }) => void new CrashReload(kernel, tab));
    return {};
  },
};
