import type { Command, Params } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import type { Result } from '@/server/cdp/shapes/read';

/**
 * The only way in which an action or a person's raw input changes a page: checks the fence, then sends one command on
 * the commands lane (CO2, R4). The few writers of the server itself are in docs/ARCHITECTURE.md, Invariants. Throws
 * CONTROL_LOST when the lease changed hands, TIMEOUT or ABORTED when the budget ended, CdpError when Chrome refuses.
 */
export type Write = <M extends Command>(method: M, ...params: Params<M>) => Promise<Result<M>>;

/**
 * Writes on the tab's own target. `on` applies the same fence to an out-of-process frame's session, where the tab's ids
 * are invalid.
 */
export type FencedSession = Write & { readonly on: (session: CdpSession) => Write };

/** Creates a fenced session from a function that writes on a given session. */
export function fencedSession(own: CdpSession, on: (session: CdpSession) => Write): FencedSession {
  return Object.assign(on(own), { on });
}
