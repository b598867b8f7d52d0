import type { Command, Params, Result } from '@/server/cdp/protocol';

/**
 * The only way to change a page: sends one command on the commands lane after the fence was asked (CO2, R4).
 * Throws CONTROL_LOST when the wheel changed hands, TIMEOUT or ABORTED when the budget ended, CdpError when Chrome refuses.
 */
export type Write = <M extends Command>(method: M, ...params: Params<M>) => Promise<Result<M>>;
