import type { Command, Params, Result } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';

/**
 * The only way to change a page: sends one command on the commands lane after the fence was asked (CO2, R4). Throws
 * CONTROL_LOST when the wheel changed hands, TIMEOUT or ABORTED when the budget ended, CdpError when Chrome refuses.
 */
export type Write = <M extends Command>(method: M, ...params: Params<M>) => Promise<Result<M>>;

/**
 * Writes on the tab's own target; `on` gives the same fence for the target of a frame in another process, where the
 * tab's ids mean nothing.
 */
export type FencedSession = Write & { readonly on: (session: CdpSession) => Write };

/** Makes a fenced session from a function that writes on a session. */
export function fencedSession(own: CdpSession, on: (session: CdpSession) => Write): FencedSession {
  return Object.assign(on(own), { on });
}
