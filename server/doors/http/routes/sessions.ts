import { IDLE } from '@/server/features/idle/idle-limit';
import { AGENTS_PAUSE } from '@/server/features/pause/agents-pause';
import { HANDOVER } from '@/server/features/control/handover';
import { demandReachable } from '@/server/access/egress/blocked';
import { z } from 'zod';
import { tabLabelSchema } from '@/lib/actions/kinds/tab';
import type { Reply } from '@/lib/actions/reply';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { fromWire, WheelhouseError } from '@/lib/errors/error';
import { tabSchema, type SessionView } from '@/lib/protocol/views';
import { performAction } from '@/server/doors/perform';
import { PAUSE } from '@/server/session/feature-slots';
import type { Session } from '@/server/session/session';
import { sessionPolicySchema } from '@/server/session/session-parts';
import { endedSchema, guardSchema, sessionAnswerSchema, tabActionSchema, tabAnswerSchema } from '../answers';
import { nameSchema, sessionParams, tabParams, urlSchema, viewportSchema } from '../fields';
import { refused } from '../../things';
import { verdictOn } from '../guard-verdict';
import {
  defineGuestRoute,
  defineRoute,
  noBody,
  nothing,
  type RouteContext,
  type InSession,
  type Route,
} from '../route';

const newSession = z
  .strictObject({
    name: nameSchema.optional(),
    browser: z.string().max(200).optional(),
    isolation: z.enum(['context', 'browser', 'default']).optional(),
    url: urlSchema.optional(),
    viewport: viewportSchema.optional(),
    policy: sessionPolicySchema.optional(),
    record: z.boolean().optional(),
  })
  .optional();

/** A session as API clients see it. `links.view` is the page where a person opens it. */
function sessionAnswer(
  session: Session,
  { services, caller }: RouteContext,
): SessionView & { links: { view: string } } {
  const [site] = services.access.sites();
  return { ...session.view(caller.principal), links: { view: `${site?.origin ?? ''}/sessions/${session.id}` } };
}

/** The warning of a call that succeeded although a part of it failed. */
function warned({ error }: Pick<Reply, 'error'>): { warnings?: string[] } {
  return error ? { warnings: [`${error.code}: ${error.message}`] } : {};
}

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions',
    about: 'All sessions of the workspace.',
    grant: 'watch',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.array(sessionAnswerSchema),
    run: async (call) => ({
      status: 200,
      json: seenBy(call).map((session) => sessionAnswer(session, call)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions',
    about: 'Makes a session with its own browser context and one tab.',
    grant: 'drive',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: newSession,
    answer: sessionAnswerSchema,
    success: 201,
    timeoutMs: BUDGET_LIMITS.launchMs,
    run: async (call) => {
      const { services, caller, budget, body = {} } = call;
      if (body.record === true) throw new WheelhouseError('UNSUPPORTED', 'Sessions cannot be recorded yet.');
      const url = body.url === undefined ? undefined : services.guard.navigation(body.url);
      const { workspace } = caller.principal;
      const egress = { workspace, policy: body.policy?.egress };
      if (url !== undefined) await demandReachable(budget, services.egress, egress, url);
      const session = await services.hub.create(budget, caller, { ...body, name: body.name ?? siteName(url) });
      const opened = url === undefined ? {} : await openFirst(call, session, url);
      return { status: 201, json: { ...sessionAnswer(session, call), ...warned(opened) } };
    },
  }),
  defineGuestRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s',
    about: 'One session.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: sessionAnswerSchema,
    run: async (call) => ({ status: 200, json: sessionAnswer(call.session, call) }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/sessions/:s',
    about: 'Renames a session: who made it may, who has the wheel, and who manages the server.',
    grant: 'drive',
    thing: 'session',
    own: 'The session',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({ name: nameSchema }),
    answer: sessionAnswerSchema,
    run: async (call) => {
      call.session.rename(call.caller, call.body.name);
      return { status: 200, json: sessionAnswer(call.session, call) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/sessions/:s',
    about: 'Ends a session and closes its tabs.',
    grant: 'drive',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: endedSchema,
    run: async ({ services, caller, session, budget }) => {
      if (caller.principal.kind === 'agent') session.leases.demandAlone(caller.principal.id);
      PAUSE.of(session).demandRunning(caller.principal);
      await services.hub.end(budget, caller, session.id);
      return { status: 200, json: { id: session.id, state: 'ended' } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/stay',
    about: 'Keeps a session that is about to end because nobody uses it.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({}).optional(),
    answer: sessionAnswerSchema,
    run: async (call) => {
      IDLE.of(call.session).stay(call.caller);
      return { status: 200, json: sessionAnswer(call.session, call) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/pause',
    about: 'Pauses the agents of a session: what they do next waits, what they read does not.',
    grant: 'manage',
    thing: 'session',
    peopleOnly: 'Pausing agents is for people.',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({}).optional(),
    answer: sessionAnswerSchema,
    run: async (call) => {
      await AGENTS_PAUSE.of(call.session).pause(call.budget, call.caller);
      return { status: 200, json: sessionAnswer(call.session, call) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/resume',
    about: 'Lets the paused agents of a session go on.',
    grant: 'manage',
    thing: 'session',
    peopleOnly: 'Pausing agents is for people.',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({}).optional(),
    answer: sessionAnswerSchema,
    run: async (call) => {
      await AGENTS_PAUSE.of(call.session).resume(call.budget, call.caller);
      return { status: 200, json: sessionAnswer(call.session, call) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/browser',
    about:
      'Starts a new Chrome for a session that lost its own; its tabs come back at their addresses, with cookies and local storage as they were last saved.',
    grant: 'drive',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({}).optional(),
    answer: sessionAnswerSchema,
    timeoutMs: BUDGET_LIMITS.launchMs,
    run: async (call) => ({
      status: 200,
      json: sessionAnswer(await call.services.hub.revive(call.budget, call.caller, call.session.id), call),
    }),
  }),
  defineGuestRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/tabs',
    about: 'The tabs of a session.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: z.array(tabSchema),
    run: async ({ session, caller }) => ({ status: 200, json: session.view(caller.principal).tabs }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/tabs',
    about: 'Opens a tab.',
    grant: 'drive',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({ url: urlSchema.optional(), label: tabLabelSchema.optional() }).optional(),
    answer: tabAnswerSchema,
    success: 201,
    run: async (call) => {
      const { services, caller, budget, session, body = {} } = call;
      const url = body.url === undefined ? undefined : services.guard.navigation(body.url);
      session.leases.demandAlone(caller.principal.id);
      PAUSE.of(session).demandRunning(caller.principal);
      if (url !== undefined) await demandReachable(budget, services.egress, { session: session.id }, url);
      const sessionTab = await session.tabs.open(budget, body.label);
      const opened =
        url === undefined
          ? {}
          : await performAction(
              services.clock,
              session,
              caller,
              sessionTab.tab.id,
              { kind: 'navigate', url, waitUntil: 'commit', timeoutMs: BUDGET_LIMITS.firstPageMs },
              { signal: call.signal },
            );
      return {
        status: 201,
        json: {
          ...session.view(caller.principal).tabs.find((tab) => tab.id === sessionTab.tab.id),
          ...warned(opened),
        },
      };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/sessions/:s/tabs/:t',
    about: 'Closes a tab.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: noBody,
    answer: tabActionSchema,
    run: async (call) => ({ status: 200, json: await tabAction(call, call.params.t, 'close') }),
  }),
  defineGuestRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/tabs/:t/focus',
    about: 'Makes a tab the active one.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: z.strictObject({}).optional(),
    answer: tabActionSchema,
    run: async (call) => ({ status: 200, json: await tabAction(call, call.params.t, 'focus') }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/guard/check',
    about: 'Whether pages of a session may go to `url`, and if not, which rule denies that and whose it is.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: z.object({ url: urlSchema }),
    body: noBody,
    answer: guardSchema,
    run: async ({ services, session, budget, query }) => ({
      status: 200,
      json: await verdictOn(services, budget, { session: session.id }, query.url),
    }),
  }),
];

/** The sessions of the workspace that the caller may watch. */
function seenBy(asker: RouteContext): Session[] {
  const all = asker.services.hub.list(asker.caller.principal.workspace);
  return all.filter(({ id }) => !refused(asker, { grant: 'watch', thing: 'session' }, { session: id }));
}

/** The default name of a session: the host of its first address. */
function siteName(url: string | undefined): string | undefined {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '';
  return host === '' ? undefined : host.slice(0, 80);
}

/** Loads the first page under its own timeout, so that a slow or dead address does not delay the caller's session. */
async function openFirst(
  { services, caller, budget, signal }: RouteContext,
  session: Session,
  url: string,
): Promise<Reply> {
  const reply = await performAction(
    services.clock,
    session,
    caller,
    'active',
    { kind: 'navigate', url, waitUntil: 'domcontentloaded', timeoutMs: BUDGET_LIMITS.firstPageMs },
    { signal },
  );
  const { activeTab } = session;
  if (caller.principal.kind === 'human' && activeTab !== undefined)
    await HANDOVER.of(session).releaseUntilStored(budget, caller, activeTab);
  return reply;
}

async function tabAction(
  { services, session, caller, signal, budget: { startedAt } }: InSession,
  tab: string,
  act: 'close' | 'focus',
): Promise<unknown> {
  const reply = await performAction(
    services.clock,
    session,
    caller,
    tab,
    { kind: 'tab', do: act },
    { signal, startedAt },
  );
  if (reply.error) throw fromWire(reply.error);
  return { ok: true, tab: reply.tab };
}
