import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping';
import type { Protocol } from 'devtools-protocol';

/** Chrome DevTools Protocol, typed by the published definitions. */
export type { Protocol };
export type Commands = ProtocolMapping.Commands;
export type Events = ProtocolMapping.Events;
export type Command = keyof Commands;
export type EventName = keyof Events;
export type Params<M extends Command> = Commands[M]['paramsType'];

/** Chrome's own refusal of a command: a JSON-RPC error answer. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
  constructor(
    readonly method: string,
    readonly code: number,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`${method}: ${detail}`, options);
  }
}

/** Chrome answered a command in a shape that the protocol does not have. Attached endpoints may do so. */
export class MalformedAnswer extends CdpError {
  constructor(method: string, options?: ErrorOptions) {
    super(method, 0, 'the answer is not what the protocol says of it', options);
  }
}
