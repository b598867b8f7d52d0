import { POPUP_SECONDS } from '@/server/access/limits';
import type { Protocol } from '@/server/cdp/protocol';
import type { SessionCore } from './core';
import type { TabRegistry } from './tab-registry';

/**
 * Admits the windows that pages open; closes those over the limits at once, and reports that once per `POPUP_SECONDS`
 * (F27, BR7).
 */
export class Popups {
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly core: SessionCore,
    private readonly registry: TabRegistry,
  ) {}

  /**
   * Makes the session tab of a new target, unless it is a popup over the limits. Targets that the server opened have no
   * opener.
   */
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
