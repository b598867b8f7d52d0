import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { globSchema } from '@/lib/actions/shared';
import { WheelhouseError } from '@/lib/errors/error';
import {
  bodySchema,
  type Body,
  CONSOLE_LEVELS,
  consoleEntrySchema,
  pageErrorSchema,
  requestEntrySchema,
  requestSummarySchema,
  summaryOf,
} from '@/lib/buffers/entries';
import { fitsConsole, fitsErrors, fitsRequests } from '@/lib/buffers/filter';
import type { Redactor } from '@/lib/secrets/redactor';
import { harOf } from '@/lib/buffers/har';
import { harSchema } from '@/lib/buffers/har-schema';
import type { Tab } from '@/server/browser/tab';
import { requestBody, responseBody } from '@/server/browser/watch/bodies';
import { count, flag, tabParams } from '../fields';
import type { Found } from '../../things';
import { defineRoute, noBody, nothing, type RouteContext, type Route } from '../route';

/**
 * Routes for a tab's buffers (PS1): console, page errors, requests. Reading requires `watch`. An agent may clear them
 * in its own session or while it holds the lease.
 */

const path = (rest: string): string => `/api/v1/sessions/:s/tabs/:t/${rest}`;

const page = {
  /** The `next` of an earlier answer: returns only rows that are new or changed since. */
  since: count(1_000_000_000_000).optional(),
  limit: count(500).optional(),
  filter: z.string().min(1).max(500).optional(),
} as const;

/** A comma-separated list of words. */
const listOf = <T extends string>(words: z.ZodType<T, string>): z.ZodType<T[], string> =>
  z
    .string()
    .min(1)
    .max(200)
    .transform((text) => text.split(','))
    .pipe(z.array(words).min(1));

const consoleQuery = z.strictObject({ ...page, level: listOf(z.enum(CONSOLE_LEVELS)).optional() });
const requestQuery = z.strictObject({
  ...page,
  url: globSchema.optional(),
  type: listOf(z.string().regex(/^[a-z]{1,30}$/, 'is not a type of request such as "xhr"')).optional(),
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, 'is not a method')
    .optional(),
  status: z
    .string()
    .regex(/^(?:[1-5]\d\d|[1-5]xx|failed|pending)$/, 'is not a status: write 404, 4xx, failed or pending')
    .optional(),
  /** Also returns the headers and timing of each request. */
  details: flag.optional(),
});

const pageOf = (entry: z.ZodType): z.ZodType => z.object({ items: z.array(entry), next: z.int(), dropped: z.int() });
const requestParams = z.strictObject({
  ...tabParams.shape,
  r: z
    .string()
    .regex(/^\d{1,15}$/, 'is not the id of a request')
    .transform(Number),
});

/**
 * Refuses a private tab, and waits while its hold is being lifted: rows from before the hold stay closed too, because
 * their bodies are read from the page (CO8).
 */
async function readable({ budget, session, sessionTab: { tab } }: RouteContext & Found['tab']): Promise<Tab> {
  await session.visibility.readable(budget, tab.id);
  return tab;
}

export const bufferRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: path('console'),
    about:
      'What the page wrote to its console. `next` goes into `since` for what follows; Of a burst the first and the newest lines are kept; `dropped` counts those between that were not.',
    grant: 'watch',
    thing: 'tab',
    params: tabParams,
    query: consoleQuery,
    body: noBody,
    answer: pageOf(consoleEntrySchema),
    run: async (call) => {
      const { since, limit, level: levels, filter } = call.query;
      return {
        status: 200,
        json: (await readable(call)).watch.console.read({
          since,
          limit,
          fits: fitsConsole({ levels, filter }),
        }),
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: path('errors'),
    about: 'What the page threw and did not catch, and promises nobody handled.',
    grant: 'watch',
    thing: 'tab',
    params: tabParams,
    query: z.strictObject(page),
    body: noBody,
    answer: pageOf(pageErrorSchema),
    run: async (call) => {
      const { since, limit, filter } = call.query;
      return {
        status: 200,
        json: (await readable(call)).watch.errors.read({ since, limit, fits: fitsErrors({ filter }) }),
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: path('requests'),
    about:
      'What the page asked the network for. A request that changes is given again to who asks with `since`. Cookies and credentials are masked.',
    grant: 'watch',
    thing: 'tab',
    params: tabParams,
    query: requestQuery,
    body: noBody,
    answer: pageOf(z.union([requestEntrySchema, requestSummarySchema])),
    run: async (call) => {
      const { since, limit, details, type: types, ...filter } = call.query;
      const read = (await readable(call)).watch.requests.ring.read({
        since,
        limit,
        fits: fitsRequests({ ...filter, types }),
      });
      return { status: 200, json: details === true ? read : { ...read, items: read.items.map(summaryOf) } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: path('requests/:r'),
    about: 'One request with its headers and timing.',
    grant: 'watch',
    thing: 'tab',
    params: requestParams,
    query: nothing,
    body: noBody,
    answer: requestEntrySchema,
    run: async (call) => {
      const { r } = call.params;
      const entry = (await readable(call)).watch.requests.ring.get(r);
      if (!entry)
        throw new WheelhouseError('NOT_FOUND', `There is no request ${r} in this tab any more.`, {
          hint: 'List them: GET …/requests. The last 500 are kept.',
        });
      return { status: 200, json: entry };
    },
  }),
  defineRoute({
    method: 'GET',
    path: path('requests/:r/body'),
    about:
      'What was answered to a request, or, with `of=request`, what was sent along. At most 8 MiB; Chrome forgets bodies when the page goes elsewhere.',
    grant: 'evaluate',
    thing: 'tab',
    params: requestParams,
    query: z.strictObject({ of: z.enum(['request', 'response']).optional() }),
    body: noBody,
    answer: bodySchema,
    run: async (call) => {
      const { r } = call.params;
      const { requests } = (await readable(call)).watch;
      const body = await (call.query.of === 'request' ? requestBody : responseBody)(call.budget, requests, r);
      return { status: 200, json: redactedBody(call.session.secrets.redactor, body) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: path('har'),
    about: 'The requests of the tab as an HTTP Archive 1.2, secrets masked, without bodies.',
    grant: 'watch',
    thing: 'tab',
    params: tabParams,
    query: nothing,
    body: noBody,
    answer: harSchema,
    run: async (call) => {
      const { contextRef } = call.session.init;
      const { title, watch } = await readable(call);
      const { items: requests, dropped } = watch.requests.ring.read({});
      return {
        status: 200,
        json: harOf({ product: contextRef.shown.product, title, requests, dropped, now: new Date().toISOString() }),
      };
    },
  }),
  clearing('console', (tab) => tab.watch.console.clear()),
  clearing('errors', (tab) => tab.watch.errors.clear()),
  clearing('requests', (tab) => tab.watch.requests.ring.clear()),
];

/**
 * Masks secrets in a body. Decodes UTF-8 where valid, else Latin-1; in Latin-1 bytes it does not find secrets with
 * non-ASCII characters (T14).
 */
function redactedBody(redactor: Redactor, body: Body): Body {
  if (!body.base64) return { ...body, body: redactor.text(body.body) };
  const bytes = Buffer.from(body.body, 'base64');
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const safe = redactor.text(text, '***');
  return safe === text ? body : { ...body, body: Buffer.from(safe, encoding).toString('base64') };
}

function clearing(name: string, clear: (tab: Tab) => number): Route {
  return defineRoute({
    method: 'DELETE',
    path: path(name),
    about: `Empties the list that GET …/${name} reads; the page notices nothing. Who made the session may, who has the wheel of the tab, and who manages the server.`,
    grant: 'drive',
    thing: 'tab',
    own: 'The list',
    params: tabParams,
    query: nothing,
    body: noBody,
    answer: z.object({ cleared: z.int() }),
    run: async (call) => {
      const tab = await readable(call);
      const cleared = clear(tab);
      tab.watch.onChange.emit();
      return { status: 200, json: { cleared } };
    },
  });
}
