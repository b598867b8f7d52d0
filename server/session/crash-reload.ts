import type { Clock } from '@/lib/budget/clock';
import { CrashLog } from '@/lib/recovery/crash-log';
import type { Message } from '@/lib/messages/message';
import type { Tab } from '@/server/browser/tab';

/** Crashes of a page within ten minutes after which it is opened again without asking (F3). */
const PAGE_CRASHES = 1;
/** Addresses that are opened again. */
const WEB = /^https?:/i;

/** Opens a page whose process crashed once again, and then waits for somebody (CO9, F3). */
export class CrashReload {
  readonly #crashes = new CrashLog(PAGE_CRASHES);
  #crashed = false;

  constructor(
    private readonly tab: Tab,
    private readonly clock: Clock,
    private readonly allowed: boolean,
    private readonly tell: (said: Message) => void,
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
    const again = this.#crashes.crashed(this.clock.now());
    const mends = again && this.allowed && WEB.test(url);
    this.tell({ code: mends ? 'pageCrashedMended' : again ? 'pageCrashed' : 'pageCrashedAgain' });
    // By its address: a reload would send a form once more (measured on Chromium 156), and nothing is done again by
    // itself.
    if (mends) void this.tab.sessions.commands.sendMayFail('Page.navigate', { url });
  }
}
