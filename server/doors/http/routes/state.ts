import { z } from 'zod';
import type { Action } from '@/lib/actions/kinds';
import { parseAction } from '@/lib/actions/parse';
import { fromWire } from '@/lib/errors/error';
import {
  cookieParamSchema,
  cookiesAnswerSchema,
  cookiesChangeSchema,
  storageAnswerSchema,
  storageChangeSchema,
} from '@/lib/state/cookies';
import { emulationAnswerSchema, emulationSchema } from '@/lib/state/emulation';
import { performAction } from '@/server/doors/perform';
import { tabParams } from '../fields';
import { defineRoute, noBody, nothing, type Answer, type InSession, type Route } from '../route';

/** Routes for cookies, storage and emulation (PS3, PS4). Each runs the same action as `act`. */

const path = (rest: string): string => `/api/v1/sessions/:s/tabs/:t/${rest}`;

const text = z.string().min(1).max(4_096);
const cookieFilter = z.strictObject({ name: text.optional(), domain: text.optional(), path: text.optional() });
const reach = z.strictObject({ scope: z.enum(['tab', 'session']).optional() });

export const stateRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: path('cookies'),
    about: 'Cookies of the session, or only those for `url`. Values are for who may run scripts.',
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: z.strictObject({ url: z.string().min(1).max(2_048).optional() }),
    body: noBody,
    answer: cookiesAnswerSchema,
    run: (call) =>
      done(call, call.params.t, {
        kind: 'cookies',
        do: 'get',
        ...(call.query.url === undefined ? {} : { urls: [call.query.url] }),
      }),
  }),
  defineRoute({
    method: 'PUT',
    path: path('cookies'),
    about: 'Sets cookies. They belong to the session, so nobody else may have the wheel of any of its tabs.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: z.strictObject({ cookies: z.array(cookieParamSchema).min(1).max(100) }),
    answer: cookiesChangeSchema,
    run: (call) => done(call, call.params.t, { kind: 'cookies', do: 'set', cookies: call.body.cookies }),
  }),
  defineRoute({
    method: 'DELETE',
    path: path('cookies'),
    about: 'Clears the cookies that fit, or all of the session.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: cookieFilter,
    body: noBody,
    answer: cookiesChangeSchema,
    run: (call) => done(call, call.params.t, { kind: 'cookies', do: 'clear', ...call.query }),
  }),
  ...storageRoutes('local', 'Local storage of the page, shared by its origin in this session'),
  ...storageRoutes('session', 'Session storage of the page, this tab’s own'),
  defineRoute({
    method: 'GET',
    path: path('emulation'),
    about: 'What the page is made to believe, and how far each setting reaches.',
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: noBody,
    answer: emulationAnswerSchema,
    run: (call) => done(call, call.params.t, { kind: 'emulate', do: 'get' }),
  }),
  defineRoute({
    method: 'PUT',
    path: path('emulation'),
    about: 'Changes the settings that are named; null takes one back. With `scope=session` for all tabs, new ones too.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: reach,
    body: emulationSchema,
    answer: emulationAnswerSchema,
    run: (call) => done(call, call.params.t, { kind: 'emulate', do: 'set', set: call.body, ...call.query }),
  }),
  defineRoute({
    method: 'DELETE',
    path: path('emulation'),
    about: 'Takes back all settings of this tab, or with `scope=session` those of the session.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: reach,
    body: noBody,
    answer: emulationAnswerSchema,
    run: (call) => done(call, call.params.t, { kind: 'emulate', do: 'reset', ...call.query }),
  }),
];

function storageRoutes(area: 'local' | 'session', what: string): Route[] {
  const shared = { path: path(`storage/${area}`), params: tabParams } as const;
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      about: `${what}: its entries. Values are for who may run scripts.`,
      grant: 'watch',
      thing: 'session',
      query: z.strictObject({ key: z.string().max(10_000).optional() }),
      body: noBody,
      answer: storageAnswerSchema,
      run: (call) => done(call, call.params.t, { kind: 'storage', area, do: 'get', ...call.query }),
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      about: `${what}: sets entries.`,
      grant: 'drive',
      thing: 'session',
      query: nothing,
      body: z.strictObject({ values: z.record(z.string().max(10_000), z.string().max(1_000_000)) }),
      answer: storageChangeSchema,
      run: (call) => done(call, call.params.t, { kind: 'storage', area, do: 'set', values: call.body.values }),
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      about: `${what}: clears one entry, or all.`,
      grant: 'drive',
      thing: 'session',
      query: z.strictObject({ key: z.string().max(10_000).optional() }),
      body: noBody,
      answer: storageChangeSchema,
      run: (call) => done(call, call.params.t, { kind: 'storage', area, do: 'clear', ...call.query }),
    }),
  ];
}

/** Runs an action and answers with its value. Throws its failure as the failure of the route. */
async function done(
  { services, session, caller, signal, budget }: InSession,
  tab: string,
  action: Action,
): Promise<Answer> {
  const { startedAt } = budget;
  const reply = await performAction(services.clock, session, caller, tab, parseAction(action), { signal, startedAt });
  if (reply.error) throw fromWire(reply.error);
  return { status: 200, json: reply.value };
}
