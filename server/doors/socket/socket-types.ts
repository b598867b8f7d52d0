import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents } from '@/lib/protocol/catalog';
import type { Principal } from '@/server/access/principal';

/** The caller, identified at the handshake. */
interface SocketData {
  principal?: Principal;
}

export type WheelhouseServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>;
export type WheelhouseSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>;
