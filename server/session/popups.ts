import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import { POPUP_SECONDS } from '@/server/access/limits';
import type { TargetInfo } from '@/server/cdp/shapes/objects';
import type { SessionCore } from './core';
import type { TabRegistry } from './tab-registry';

/**
 * Admits the windows that pages open; closes those over the limits and those whose lease the store does not take, and
 * reports that once per `POPUP_SECONDS` (F16, F27, BR7).
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
  async came(info: TargetInfo): Promise<void> {
    const { registry } = this;
    if (info.openerId === undefined) return registry.adopt(info);
    if (!(await this.#admits(info))) return;
    try {
      await registry.adopt(info);
    } catch (error) {
      if (!(error instanceof WheelhouseError) || error.code !== 'STORE_BUSY') throw error;
      this.#refuse(info, { code: 'popupUnstored' }, 'STORE_BUSY');
    }
  }

  async #admits(info: TargetInfo): Promise<boolean> {
    const { registry } = this;
    const {
      rates,
      services: { quotas },
    } = this.core;
    const { tabs, popups } = rates.caps;
    if (registry.size >= tabs) return this.#refuse(info, { code: 'popupNoRoom', limit: tabs });
    if (!quotas.hasRoomForTab) return this.#refuse(info, { code: 'popupNoRoomHere', limit: rates.caps['tabs-server'] });
    return (await rates.popup()) || this.#refuse(info, { code: 'popupStorm', limit: popups });
  }

  #refuse({ targetId }: TargetInfo, said: Message, code: 'QUOTA' | 'STORE_BUSY' = 'QUOTA'): false {
    const {
      timeline,
      init: { contextRef },
      services: { clock },
    } = this.core;
    void contextRef.browser.dropPage(targetId);
    if (clock.now() - this.#toldAt < POPUP_SECONDS * 1_000) return false;
    this.#toldAt = clock.now();
    void timeline.tell({ kind: 'tab', said, code });
    return false;
  }
}
