import type { Clock } from '@/lib/budget/clock';
import { POPUP_SECONDS } from '@/server/access/limits';
import type { Protocol } from '@/server/cdp/protocol';
import type { ContextRef } from './context-ref';
import type { Quotas } from './quotas';
import type { Rates } from './rates';
import type { TabRegistry } from './tab-registry';
import type { Timeline } from './timeline';

export interface PopupsDeps {
  readonly registry: TabRegistry;
  readonly contextRef: ContextRef;
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
    const { registry } = this.deps;
    const joining = info.openerId === undefined || (await this.#admits(info));
    if (joining) await registry.adopt(info);
  }

  async #admits(info: Protocol.Target.TargetInfo): Promise<boolean> {
    const { registry, rates, quotas } = this.deps;
    const { tabs, popups } = rates.caps;
    if (registry.size >= tabs) return this.#refuse(info, 'popupNoRoom', tabs);
    if (!quotas.hasRoomForTab) return this.#refuse(info, 'popupNoRoomHere', rates.caps['tabs-server']);
    return (await rates.popup()) || this.#refuse(info, 'popupStorm', popups);
  }

  #refuse(
    { targetId }: Protocol.Target.TargetInfo,
    code: 'popupNoRoom' | 'popupNoRoomHere' | 'popupStorm',
    limit: number,
  ): false {
    const { contextRef, timeline, clock } = this.deps;
    void contextRef.browser.dropPage(targetId);
    if (clock.now() - this.#toldAt < POPUP_SECONDS * 1_000) return false;
    this.#toldAt = clock.now();
    timeline.tell({ kind: 'tab', said: { code, limit }, code: 'QUOTA' });
    return false;
  }
}
