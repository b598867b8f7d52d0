import type { Clock } from '@/lib/budget/clock';
import { POPUP_SECONDS } from '@/server/access/limits';
import type { Protocol } from '@/server/cdp/protocol';
import type { Home } from './home';
import type { Quotas } from './quotas';
import type { Rates } from './rates';
import type { TabBook } from './tab-book';
import type { Timeline } from './timeline';

export interface PopupsDeps {
  readonly book: TabBook;
  readonly home: Home;
  readonly rates: Rates;
  readonly quotas: Pick<Quotas, 'hasRoomForTab'>;
  readonly timeline: Timeline;
  readonly clock: Clock;
}

/**
 * Windows that pages open: those beyond what a session may have are closed at once, and that is told, once a storm
 * (F27, BR7).
 */
export class Popups {
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: PopupsDeps) {}

  /** Gives a new target its seat, unless it is a popup too many. What we opened ourselves has no opener. */
  async came(info: Protocol.Target.TargetInfo): Promise<void> {
    const { book } = this.deps;
    const joining = info.openerId === undefined || (await this.#admits(info));
    if (joining) await book.adopt(info);
  }

  async #admits(info: Protocol.Target.TargetInfo): Promise<boolean> {
    const { book, rates, quotas } = this.deps;
    const { tabs, popups } = rates.caps;
    if (book.size >= tabs) return this.#refuse(info, 'popupNoRoom', tabs);
    if (!quotas.hasRoomForTab) return this.#refuse(info, 'popupNoRoomHere', rates.caps['tabs-server']);
    return (await rates.popup()) || this.#refuse(info, 'popupStorm', popups);
  }

  #refuse(
    { targetId }: Protocol.Target.TargetInfo,
    code: 'popupNoRoom' | 'popupNoRoomHere' | 'popupStorm',
    limit: number,
  ): false {
    const { home, timeline, clock } = this.deps;
    void home.browser.dropPage(targetId);
    if (clock.now() - this.#toldAt < POPUP_SECONDS * 1_000) return false;
    this.#toldAt = clock.now();
    timeline.tell({ kind: 'tab', said: { code, limit }, code: 'QUOTA' });
    return false;
  }
}
