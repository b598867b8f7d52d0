import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type ServerOptions } from 'socket.io';
import { z } from 'zod';
import { createBudget, withBudget, type Budget } from '@/lib/budget/budget';
import { asWheelhouseError, messageOf, toWire, WheelhouseError, type WireError } from '@/lib/errors/error';
import { CLIENT_EVENTS, type ClientEvent } from '@/lib/protocol/catalog';
import type { PingTiming } from '@/server/config/timings';
import { single } from '@/server/access/credential';
import { CAPS, countCall } from '@/server/access/limits';
import { credentialName, type Principal } from '@/server/access/principal';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import { explainMalformed } from '@/server/cdp/endpoint';
import { authenticated } from '../authenticated';
import { linkOf } from '../http/request-facts';
import { redactedError } from '../redacted-error';
import { noteRefusal } from '../refusals';
import type { Services } from '../services';
import { EVENTS } from './events';
import { SocketConnection } from './socket-connection';
import type { EventLimit } from './registry';
import type { WheelhouseServer, WheelhouseSocket } from './socket-types';

export interface SocketDoor {
  readonly io: WheelhouseServer;
  /** Tells every client to reconnect, then closes the door. */
  close(reason: string): Promise<void>;
}

const handshakeSchema = z.object({
  key: z.string().min(1).max(300).optional(),
  agent: z.string().max(40).optional(),
  workspace: z.string().max(200).optional(),
  link: z.string().max(200).optional(),
});

/**
 * The Socket.IO door (DO2): one credential per socket, one registry of events, an answer to every event. It catches
 * every error (R2, R3, R7).
 */
export function createSocketDoor(server: HttpServer, services: Services, pings: PingTiming): SocketDoor {
  const lines = new Set<SocketConnection>();
  const strangers = (): number => io.engine.clientsCount - lines.size;
  const io: WheelhouseServer = new Server(server, {
    ...settingsOf(services, strangers),
    pingInterval: pings.everyMs,
    pingTimeout: pings.patienceMs,
  });
  io.use((socket, next) => {
    atHandshake(services, (budget) => welcome(budget, services, socket)).then(
      () => next(),
      (error: unknown) => next(handshakeError(error)),
    );
  });
  io.on('connection', (socket) => open(services, socket, lines));
  const cut = (which: (principal: Principal) => boolean): void => {
    for (const { caller, socket } of lines) if (which(caller.principal)) socket.disconnect(true);
  };
  const offs = [
    services.access.onRevoked(({ kind, id }) =>
      cut(({ credential }) => credential.kind === kind && credential.id === id),
    ),
    // Their sign-in goes on where they are a member of other workspaces.
    services.access.rights.onChange((change) => {
      if (change.kind === 'member' && change.role === undefined)
        cut((one) => one.kind !== 'guest' && one.workspace === change.workspace && one.person === change.person);
    }),
  ];
  return {
    io,
    close: async (reason) => {
      for (const off of offs) off();
      io.emit('goodbye', { reason, retryInMs: 1_000 });
      for (const connection of lines) connection.dispose();
      await io.close();
    },
  };
}

/**
 * WebSocket only, pictures uncompressed, messages bounded. Refuses unauthenticated connections before the upgrade (T1,
 * T11).
 */
function settingsOf(services: Services, strangers: () => number): Partial<ServerOptions> {
  return {
    path: '/socket.io',
    transports: ['websocket'],
    allowUpgrades: false,
    perMessageDeflate: false,
    maxHttpBufferSize: CAPS.messageBytes,
    connectTimeout: CAPS.unauthenticatedSocketMs,
    serveClient: false,
    destroyUpgrade: false,
    allowRequest: (request, decide) => {
      atHandshake(services, (budget) => checkHandshake(budget, services, request, strangers)).then(
        () => decide(null, true),
        () => decide('refused', false),
      );
    },
  };
}

function atHandshake<T>({ clock }: Services, work: (budget: Budget) => Promise<T>): Promise<T> {
  return withBudget({ timeoutMs: CAPS.unauthenticatedSocketMs, clock }, work);
}

/** @param strangers the number of connections that have not authenticated yet */
async function checkHandshake(
  budget: Budget,
  services: Services,
  request: IncomingMessage,
  strangers: () => number,
): Promise<void> {
  // A page of a share link names it in the address, so that its connections count as its guest's.
  const link = linkOf(request);
  const verdict = services.access.authentication.checkRequest({
    method: request.method ?? 'GET',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    upgrade: true,
    link,
  });
  if (!verdict.ok) throw new WheelhouseError('FORBIDDEN', verdict.reason);
  const { authentication, limits } = services.access;
  const proven = await budget.race(authentication.provenBy(request.headers, link));
  // A proven credential has its own bucket, so that strangers at the same address cannot use it up.
  if (proven) {
    await limits.handshakesPerCredential.demand(credentialName(proven));
    return proven.kind === 'link' && link !== undefined ? limits.handshakesPerLink.demand(link) : undefined;
  }
  await limits.handshakesPerAddress.demand(services.access.addressOf(request));
  if (strangers() >= CAPS.unauthenticatedSockets)
    throw new WheelhouseError('RATE_LIMITED', 'Too many connections have not said yet who they are.');
}

/** Authenticates a new socket. Throws UNAUTHENTICATED, BAD_REQUEST, or QUOTA when all places are taken. */
async function welcome(budget: Budget, services: Services, socket: WheelhouseSocket): Promise<void> {
  const principal = await identify(budget, services, socket.handshake.auth, socket.request);
  services.access.limits.sockets.check(principal);
  socket.data.principal = principal;
}

/**
 * People authenticate by cookie, agents by a key in `auth`, which may also name the workspace. Refuses both at once and
 * ignores all else in `auth` (R1, R2). With a share link in `auth`, only the cookie of that link is read (AU4).
 */
async function identify(
  budget: Budget,
  services: Services,
  auth: unknown,
  request: IncomingMessage,
): Promise<Principal> {
  const address = services.access.addressOf(request);
  const given = handshakeSchema.safeParse(auth);
  const { key, agent, link, workspace = single(request.headers, 'x-workspace') } = given.success ? given.data : {};
  if (link !== undefined) return authenticated(budget, services, { headers: request.headers, address, link });
  if (key === undefined) return authenticated(budget, services, { headers: request.headers, address, workspace });
  const headers = {
    ...request.headers,
    authorization: `Bearer ${key}`,
    ...(agent === undefined ? {} : { 'x-agent': agent }),
  };
  return authenticated(budget, services, { headers, address, workspace });
}

function handshakeError(thrown: unknown): Error & { data: WireError } {
  const wire = toWire(thrown);
  return Object.assign(new Error(wire.code), { data: wire });
}

function open(services: Services, socket: WheelhouseSocket, lines: Set<SocketConnection>): void {
  const { principal } = socket.data;
  // The credential may have ended since the handshake, when this connection was not among those that its end closes.
  const place = principal && services.access.isLive(principal) ? placeFor(services, socket, principal) : undefined;
  if (!principal || !place) return void socket.disconnect(true);
  const connection = new SocketConnection(services, socket, {
    principal,
    door: principal.kind === 'agent' ? 'socket' : 'ui',
  });
  lines.add(connection);
  socket.onAny((name: string, ...args: unknown[]) => void receive(connection, name, args));
  socket.on('disconnect', () => {
    lines.delete(connection);
    connection.dispose();
    place();
  });
}

/** Takes a place. Another socket may have taken the last one since the handshake; then tells the client why. */
function placeFor(services: Services, socket: WheelhouseSocket, principal: Principal): (() => void) | undefined {
  try {
    const { limits, links } = services.access;
    limits.sockets.check(principal);
    const leave = principal.kind === 'guest' ? links.connect(principal) : undefined;
    const give = limits.sockets.take(principal);
    return () => {
      leave?.();
      give();
    };
  } catch (error) {
    socket.emit('goodbye', { reason: messageOf(error) });
    return undefined;
  }
}

/** Handles every event in the same order: known event, limit, budget, schema, right, thing, answer. */
async function receive(connection: SocketConnection, name: string, args: readonly unknown[]): Promise<void> {
  const reply = args.at(-1);
  const answer = isAck(reply) ? reply : (): void => undefined;
  try {
    const data = await run(connection, name, args[0]);
    answer({ ok: true, data });
    if (name === 'act') await closeFlagged(connection, refusedReply.safeParse(data).data?.error.code);
  } catch (thrown) {
    const error = asWheelhouseError(explainMalformed(thrown));
    connection.services.metrics.socketEvent(isEvent(name) ? name : 'unknown', error.code);
    if (error.code === 'INTERNAL') {
      connection.services.metrics.fault('socket');
      connection.services.logger.error(
        { error: thrown, event: name.slice(0, 60) },
        'an event failed by a fault of ours',
      );
    }
    noteRefusal(connection.services, connection.caller, name, error);
    answer({ ok: false, error: toWire(error) });
    await closeFlagged(connection, error.code);
  }
}

const refusedReply = z.object({ error: z.object({ code: z.string() }) });

/** Disconnects an agent that keeps acting without the lease after its refusals (F23). */
async function closeFlagged({ services, caller, socket }: SocketConnection, code: string | undefined): Promise<void> {
  const { id, kind } = caller.principal;
  if (
    kind !== 'agent' ||
    (code !== 'CONTROL_HELD' && code !== 'CONTROL_LOST') ||
    (await services.access.limits.refusals.waits(id)) === 0
  )
    return;
  socket.emit('goodbye', { reason: 'You go on acting without the wheel: wait for it with GET …/control/wait.' });
  socket.disconnect(true);
}

/**
 * Counts messages by participant, so that one agent leaves room for the others of its key, and by credential. Counts
 * raw input and pointers by credential only (BR7). What guests do counts by their link, too (AU4). Throws
 * RATE_LIMITED; false for a pointer above the limit, which is dropped without an error, since others follow it.
 */
async function countEvent({ access: { limits } }: Services, principal: Principal, limit: EventLimit): Promise<boolean> {
  if (limit === 'cursors') {
    const late = await limits.cursors.take(principal.credential.id);
    return late === 0 && (principal.kind !== 'guest' || (await limits.cursorsPerLink.take(principal.link.id)) === 0);
  }
  if (limit !== 'rawInput') {
    await limits.events.demand(principal.id);
    await countCall(limits, principal);
    if (limit === 'hands') await limits.hands.demand(principal.id);
    return true;
  }
  await limits.rawInput.demand(principal.credential.id);
  if (principal.kind === 'guest') await limits.rawInputPerLink.demand(principal.link.id);
  return true;
}

async function run(connection: SocketConnection, name: string, input: unknown): Promise<unknown> {
  if (!isEvent(name)) throw new WheelhouseError('NOT_FOUND', `There is no event "${name.slice(0, 60)}".`);
  const { services, caller } = connection;
  const { principal } = caller;
  const row = EVENTS[name];
  const budget = createBudget({ timeoutMs: row.timeoutMs, clock: services.clock });
  connection.calls.add(budget);
  try {
    if (!(await budget.race(countEvent(services, principal, row.limit)))) return {};
    const answer = await row.handle(connection, budget, input);
    services.metrics.socketEvent(name, 'ok');
    return secretsOf(connection, input)?.shown(answer) ?? answer;
  } catch (thrown) {
    throw redactedError(secretsOf(connection, input), thrown);
  } finally {
    connection.calls.delete(budget);
    budget.dispose();
  }
}

/** The secrets of the session that an event names (T14). */
function secretsOf({ services, caller }: SocketConnection, input: unknown): KnownSecrets | undefined {
  const session = inSession.safeParse(input).data?.session;
  return services.hub.list(caller.principal.workspace).find(({ id }) => id === session)?.secrets;
}

const inSession = z.object({ session: z.string() });

/** Socket.IO passes the acknowledgement as the last argument. */
function isAck(value: unknown): value is (ack: unknown) => void {
  return typeof value === 'function';
}

function isEvent(name: string): name is ClientEvent {
  return Object.hasOwn(CLIENT_EVENTS, name);
}
