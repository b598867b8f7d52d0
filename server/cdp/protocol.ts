import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping';
import type { Protocol } from 'devtools-protocol';

/** Chrome DevTools Protocol, typed by the published definitions. */
export type { Protocol };
export type Commands = ProtocolMapping.Commands;
export type Events = ProtocolMapping.Events;
export type Command = keyof Commands;
export type EventName = keyof Events;
export type Params<M extends Command> = Commands[M]['paramsType'];
export type Result<M extends Command> = Commands[M]['returnType'];
export type EventParams<E extends EventName> = Events[E][0];

/** Chrome's own refusal of a command: a JSON-RPC error answer. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
  constructor(
    readonly method: string,
    readonly code: number,
    readonly detail: string,
  ) {
    super(`${method}: ${detail}`);
  }
}
