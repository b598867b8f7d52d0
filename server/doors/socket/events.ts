import { PRESENCE } from '@/server/features/presence/presence';
import { RAW_INPUT } from '@/server/features/raw-input/input-gate';
import { parseAction } from '@/lib/actions/parse';
import type { Budget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { CLIENT_EVENTS, PROTOCOL_VERSION } from '@/lib/protocol/catalog';
import { WheelhouseError } from '@/lib/errors/error';
import { boxOf } from '@/server/browser/box';
import { COMMENTS } from '@/server/features/comments/comments';
import { performLeaseRequest, leaseRequestBudget } from '@/server/features/control/lease-request';
import { performAction } from '@/server/doors/perform';
import { actorOf } from '@/server/session/participants';
import { defineEvent, type EventRegistry } from './registry';
import type { SocketConnection } from './socket-connection';

const READ_MS = BUDGET_LIMITS.readMs;
const LATEST = 200;

/** Every event of the Socket.IO door, in the order of the catalog (DO2). */
export const EVENTS: EventRegistry = {
  hello: defineEvent({
    schema: CLIENT_EVENTS.hello,
    grant: 'watch',
    thing: 'connection',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      if (payload.protocol !== PROTOCOL_VERSION) throw otherVersion(payload.protocol);
      const { principal } = connection.caller;
      const rights = connection.tellRights();
      const grants = rights.link?.grants ?? rights.grants;
      const you = { ...actorOf(principal), colour: 0, online: true, grants };
      const hello = { you, protocol: PROTOCOL_VERSION, ...rights };
      // A guest of a share link is told nothing of the workspace.
      if (principal.kind === 'guest') return { ...hello, demoAvailable: false, workspace: null };
      const { id, name } = await connection.services.access.workspaces.present(principal);
      return { ...hello, demoAvailable: true, workspace: { id, name } };
    },
  }),
  'wall.watch': defineEvent({
    schema: CLIENT_EVENTS['wall.watch'],
    grant: 'watch',
    thing: 'workspace',
    timeoutMs: READ_MS,
    run: async ({ connection }) => ({ sessions: connection.watchWall() }),
  }),
  'wall.unwatch': defineEvent({
    schema: CLIENT_EVENTS['wall.unwatch'],
    grant: 'watch',
    thing: 'connection',
    timeoutMs: READ_MS,
    run: async ({ connection }) => {
      connection.unwatchWall();
      return {};
    },
  }),
  'session.join': defineEvent({
    schema: CLIENT_EVENTS['session.join'],
    grant: 'watch',
    thing: 'session',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, session }) => {
      connection.join(session);
      return {
        session: session.view(connection.caller.principal),
        timeline: session.shownTo(connection.caller.principal, await session.timeline.events({ limit: LATEST })),
      };
    },
  }),
  'session.leave': defineEvent({
    schema: CLIENT_EVENTS['session.leave'],
    grant: 'watch',
    thing: 'connection',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      connection.leave(payload.session);
      return {};
    },
  }),
  'stream.open': defineEvent({
    schema: CLIENT_EVENTS['stream.open'],
    grant: 'watch',
    thing: 'session',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => ({ stream: connection.watch(payload.session).openStream(payload) }),
  }),
  'stream.pin': defineEvent({
    schema: CLIENT_EVENTS['stream.pin'],
    grant: 'watch',
    thing: 'connection',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      connection.pinStream(payload);
      return {};
    },
  }),
  'stream.close': defineEvent({
    schema: CLIENT_EVENTS['stream.close'],
    grant: 'watch',
    thing: 'connection',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      connection.closeStream(payload.stream);
      return {};
    },
  }),
  input: defineEvent({
    schema: CLIENT_EVENTS.input,
    grant: 'drive',
    thing: 'tab',
    guests: true,
    limit: 'rawInput',
    timeoutMs: READ_MS,
    run: async ({ connection, budget, session, sessionTab, payload: { epoch, geometry, event } }) => {
      const popup = await RAW_INPUT.of(session).send(budget, connection.caller, sessionTab, { epoch, geometry }, event);
      return popup ? { popup } : {};
    },
  }),
  copy: defineEvent({
    schema: CLIENT_EVENTS.copy,
    grant: 'clipboard:copy',
    thing: 'tab',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, budget, session, sessionTab, payload: { epoch, cut } }) => ({
      text: await RAW_INPUT.of(session).copy(budget, connection.caller, sessionTab, epoch, cut),
    }),
  }),
  act: defineEvent({
    schema: CLIENT_EVENTS.act,
    grant: 'watch',
    thing: 'session',
    guests: true,
    // The action has its own budget; this one only bounds the event.
    timeoutMs: BUDGET_LIMITS.maxMs,
    run: async ({ connection, budget, session, payload: { tab, action } }) =>
      performAction(connection.services.clock, session, connection.caller, tab, parseAction(action), {
        signal: budget.signal,
        startedAt: budget.startedAt,
      }),
  }),
  control: defineEvent({
    schema: CLIENT_EVENTS.control,
    grant: 'drive',
    thing: 'tab',
    guests: true,
    // A question to people may wait as long as the longest budget.
    timeoutMs: BUDGET_LIMITS.maxMs,
    run: async ({ connection, budget, session, sessionTab, payload }) => {
      const requestBudget = leaseRequestBudget(budget, payload, READ_MS);
      try {
        const question = await performLeaseRequest(requestBudget, session, connection.caller, sessionTab, payload);
        return { control: session.control(sessionTab.tab.id), ...(question && { question }) };
      } finally {
        requestBudget.dispose();
      }
    },
  }),
  'snapshot.watch': defineEvent({
    schema: CLIENT_EVENTS['snapshot.watch'],
    grant: 'watch',
    thing: 'tab',
    guests: true,
    timeoutMs: BUDGET_LIMITS.defaultMs,
    run: async ({ connection, budget, session, sessionTab, payload }) => {
      await session.visibility.readable(budget, sessionTab.tab.id);
      await budget.race(sessionTab.tab.ready);
      await sessionTab.tab.usable(budget);
      await paceSnapshot(connection, budget);
      return { snapshot: await connection.watch(payload.session).watchSnapshot(budget, sessionTab, payload.options) };
    },
  }),
  'snapshot.unwatch': defineEvent({
    schema: CLIENT_EVENTS['snapshot.unwatch'],
    grant: 'watch',
    thing: 'connection',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      connection.followed(payload.session)?.unwatchSnapshot(payload.tab);
      return {};
    },
  }),
  'rings.watch': defineEvent({
    schema: CLIENT_EVENTS['rings.watch'],
    grant: 'watch',
    thing: 'tab',
    timeoutMs: READ_MS,
    run: async ({ connection, budget, session, sessionTab, payload }) => {
      await session.visibility.readable(budget, sessionTab.tab.id);
      return { rings: connection.watch(payload.session).watchBuffers(sessionTab) };
    },
  }),
  'rings.unwatch': defineEvent({
    schema: CLIENT_EVENTS['rings.unwatch'],
    grant: 'watch',
    thing: 'connection',
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      connection.followed(payload.session)?.unwatchBuffers(payload.tab);
      return {};
    },
  }),
  'files.watch': defineEvent({
    schema: CLIENT_EVENTS['files.watch'],
    grant: 'files',
    thing: 'session',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => ({ files: connection.watch(payload.session).watchFiles() }),
  }),
  'files.unwatch': defineEvent({
    schema: CLIENT_EVENTS['files.unwatch'],
    grant: 'watch',
    thing: 'connection',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      connection.followed(payload.session)?.unwatchFiles();
      return {};
    },
  }),
  'comments.watch': defineEvent({
    schema: CLIENT_EVENTS['comments.watch'],
    grant: 'watch',
    thing: 'session',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, budget, session, payload }) => {
      await COMMENTS.of(session).countRead(budget, connection.caller.principal);
      return { comments: connection.watch(payload.session).watchComments() };
    },
  }),
  'comments.unwatch': defineEvent({
    schema: CLIENT_EVENTS['comments.unwatch'],
    grant: 'watch',
    thing: 'connection',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, payload }) => {
      connection.followed(payload.session)?.unwatchComments();
      return {};
    },
  }),
  'element.at': defineEvent({
    schema: CLIENT_EVENTS['element.at'],
    grant: 'watch',
    thing: 'tab',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, budget, session, sessionTab, payload }) => {
      await paceSnapshot(connection, budget);
      return { element: (await COMMENTS.of(session).elementAt(budget, sessionTab, payload)) ?? null };
    },
  }),
  'element.box': defineEvent({
    schema: CLIENT_EVENTS['element.box'],
    grant: 'watch',
    thing: 'tab',
    guests: true,
    limit: 'rawInput',
    timeoutMs: READ_MS,
    run: async ({ budget, session, sessionTab: { tab }, payload }) => {
      await session.visibility.readable(budget, tab.id);
      return { box: (await boxOf(budget, tab, payload.ref)) ?? null };
    },
  }),
  cursor: defineEvent({
    schema: CLIENT_EVENTS.cursor,
    grant: 'watch',
    thing: 'tab',
    guests: true,
    limit: 'cursors',
    timeoutMs: READ_MS,
    run: async ({ connection, session, sessionTab, payload: { at } }) => {
      PRESENCE.of(session).point(connection.caller.principal.id, sessionTab.tab.id, at);
      return {};
    },
  }),
  hand: defineEvent({
    schema: CLIENT_EVENTS.hand,
    grant: 'watch',
    thing: 'session',
    guests: true,
    limit: 'hands',
    timeoutMs: READ_MS,
    run: async ({ connection, session, payload: { up } }) => {
      PRESENCE.of(session).raiseHand(connection.caller, up);
      return {};
    },
  }),
  'timeline.list': defineEvent({
    schema: CLIENT_EVENTS['timeline.list'],
    grant: 'watch',
    thing: 'session',
    guests: true,
    timeoutMs: READ_MS,
    run: async ({ connection, session, payload: { before, limit = LATEST } }) => ({
      events: session.shownTo(connection.caller.principal, await session.timeline.events({ before, limit })),
    }),
  }),
};

/** Delays a person who switches tabs quickly, and refuses a flood. */
async function paceSnapshot({ services, caller: { principal } }: SocketConnection, budget: Budget): Promise<void> {
  const { limits } = services.access;
  await limits.snapshotsPerViewer.pace(budget, principal.id);
  if (principal.kind === 'guest') await limits.snapshotsPerLink.pace(budget, principal.link.id);
}

function otherVersion(protocol: number): WheelhouseError {
  return new WheelhouseError(
    'UNSUPPORTED',
    `This server speaks protocol ${PROTOCOL_VERSION}, the page speaks ${protocol}.`,
    { hint: 'Reload the page.' },
  );
}
