import { io, type Socket } from 'socket.io-client';
import type {
  Ack,
  ClientAnswers,
  ClientEvent,
  ClientPayload,
  ClientToServerEvents,
  ServerToClientEvents,
} from '@/lib/protocol/catalog';

/** A page's or an agent's connection to the Socket.IO door. */
export type Client = Socket<ServerToClientEvents, ClientToServerEvents>;

export function connectClient(
  origin: string,
  options: { headers?: Record<string, string>; auth?: Record<string, string>; rejectUnauthorized?: boolean },
): Client {
  return io(origin, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: options.headers ?? {},
    auth: options.auth ?? {},
    rejectUnauthorized: options.rejectUnauthorized ?? true,
  });
}

/** Sends one event and returns its answer. */
export function ask<E extends ClientEvent>(
  to: Client,
  event: E,
  payload: ClientPayload<E>,
): Promise<Ack<ClientAnswers[E]>> {
  return new Promise((resolve) => emitTo(to, event, payload, (ack) => resolve(ack)));
}

/** Untyped, since Socket.IO's own types cannot follow a generic event name. */
export function emitTo(
  to: { emit(event: string, ...args: unknown[]): unknown },
  event: string,
  payload: unknown,
  ack: (answer: never) => void,
): void {
  to.emit(event, payload, ack);
}
