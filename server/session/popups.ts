import { POPUP_SECONDS } from '@/server/access/limits';
import type { Protocol } from '@/server/cdp/protocol';
import type { SessionCore } from './core';
import type { TabRegistry } from './tab-registry';

/**
 * Windows that pages open: those beyond what a session may have are closed at once, and that is told, once a storm
 * (F27, BR7).
 */
export class Popups {
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly core: SessionCore,
    private readonly registry: TabRegistry,
  ) {}

  /** Gives a new target its seat, unless it is a popup too many. What we opened ourselves has no opener. */
  async came(info: Protocol.Target.TargetInfo): Promise<void> {
    const { registry } = this;
    const joining = info.openerId === undefined || (await this.#admits(info));
    if (joining) await registry.adopt(info);
  }

  async #admits(info: Protocol.Target.TargetInfo): Promise<boolean> {
    const { registry } = this;
    const {
      rates,
      services: { quotas },
    } = this.core;
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
    const {
      timeline,
      init: { contextRef },
      services: { clock },
    } = this.core;
    void contextRef.browser.dropPage(targetId);
    if (clock.now() - this.#toldAt < POPUP_SECONDS * 1_000) return false;
    this.#toldAt = clock.now();
    void timeline.tell({ kind: 'tab', said: { code, limit }, code: 'QUOTA' });
    return false;
  }
}
