import { z } from 'zod';
import { aimFields, COMMENT_LIMITS, commentViewSchema } from '@/lib/comments/comment';
import { COMMENTS } from '@/server/features/comments/comments';
import { count, flag, idSchema, sessionParams, tabParams } from '../fields';
import { defineGuestRoute, defineRoute, noBody, nothing, type Route } from '../route';

const ofSession = '/api/v1/sessions/:s/comments';
const ofTab = '/api/v1/sessions/:s/tabs/:t/comments';
const inSession = sessionParams.extend({ id: idSchema });
const onTab = tabParams.extend({ id: idSchema });
const ORDER = `oldest first: the newest \`limit\`, at most ${COMMENT_LIMITS.read}, of those before the \`seq\` in \`before\`; with \`open\` those that wait for somebody`;
const queryFields = {
  open: flag.optional(),
  before: count(1e9).optional(),
  // An answer has fewer, but clients may ask as they did when it had all.
  limit: count(COMMENT_LIMITS.all).optional(),
};
const empty = z.strictObject({}).optional();
const RESOLVES = 'Resolves a comment: its author may, and who may drive. A second one changes nothing.';
const PASSES = 'Passes a comment of somebody who only watches on to the agents.';
const ONLY_PEOPLE = 'Only people pass a comment on to the agents.';

/** Comments on the pages of a session (TL3). */
export const commentRoutes: readonly Route[] = [
  defineGuestRoute({
    method: 'GET',
    path: ofSession,
    about: `The comments on all tabs of a session, closed ones included, ${ORDER}.`,
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: z.strictObject({ tab: idSchema.optional(), ...queryFields }),
    body: noBody,
    answer: z.array(commentViewSchema),
    run: async ({ budget, caller, session, query }) => ({
      status: 200,
      json: await COMMENTS.of(session).read(budget, caller, query),
    }),
  }),
  defineGuestRoute({
    method: 'GET',
    path: ofTab,
    about: `The comments on a tab, ${ORDER}.`,
    grant: 'watch',
    thing: 'tab',
    params: tabParams,
    query: z.strictObject(queryFields),
    body: noBody,
    answer: z.array(commentViewSchema),
    run: async ({ budget, caller, session, sessionTab, query }) => ({
      status: 200,
      json: await COMMENTS.of(session).list(budget, caller, sessionTab.tab.id, query),
    }),
  }),
  defineGuestRoute({
    method: 'POST',
    path: ofTab,
    about:
      'Comments on a tab, or on an element (`ref`) or a box of its page: CSS pixels of the viewport, with the `geometry` and `scroll` of the picture that it was drawn on. Agents get it with their next reply, each once, if its author may drive or somebody who may passes it on.',
    grant: 'watch',
    thing: 'tab',
    params: tabParams,
    query: nothing,
    body: z.strictObject({
      text: z.string().trim().min(1).max(COMMENT_LIMITS.text),
      ...aimFields,
      reply: idSchema.optional(),
    }),
    answer: commentViewSchema,
    success: 201,
    run: async ({ budget, caller, session, sessionTab, body }) => ({
      status: 201,
      json: await COMMENTS.of(session).add(budget, caller, sessionTab.tab.id, body),
    }),
  }),
  defineGuestRoute({
    method: 'POST',
    path: `${ofSession}/:id/resolve`,
    about: RESOLVES,
    grant: 'watch',
    thing: 'session',
    params: inSession,
    query: nothing,
    body: empty,
    answer: commentViewSchema,
    run: async ({ budget, caller, session, params: { id } }) => ({
      status: 200,
      json: await COMMENTS.of(session).resolve(budget, caller, id),
    }),
  }),
  defineGuestRoute({
    method: 'POST',
    path: `${ofTab}/:id/resolve`,
    about: RESOLVES,
    grant: 'watch',
    thing: 'tab',
    params: onTab,
    query: nothing,
    body: empty,
    answer: commentViewSchema,
    run: async ({ budget, caller, session, sessionTab, params: { id } }) => ({
      status: 200,
      json: await COMMENTS.of(session).resolve(budget, caller, id, sessionTab.tab.id),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: `${ofSession}/:id/pass`,
    about: PASSES,
    grant: 'drive',
    thing: 'session',
    peopleOnly: ONLY_PEOPLE,
    params: inSession,
    query: nothing,
    body: empty,
    answer: commentViewSchema,
    run: async ({ budget, caller, session, params: { id } }) => ({
      status: 200,
      json: await COMMENTS.of(session).pass(budget, caller, id),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: `${ofTab}/:id/pass`,
    about: PASSES,
    grant: 'drive',
    thing: 'tab',
    peopleOnly: ONLY_PEOPLE,
    params: onTab,
    query: nothing,
    body: empty,
    answer: commentViewSchema,
    run: async ({ budget, caller, session, sessionTab, params: { id } }) => ({
      status: 200,
      json: await COMMENTS.of(session).pass(budget, caller, id, sessionTab.tab.id),
    }),
  }),
];
