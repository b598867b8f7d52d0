import { FILES } from '@/server/features/files/file-transfers';
import { z } from 'zod';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { parseAction } from '@/lib/actions/parse';
import { fromWire } from '@/lib/errors/error';
import { TRACE_LIMITS } from '@/lib/trace/limits';
import { traceKeptSchema, traceStateSchema } from '@/lib/trace/schema';
import { performAction } from '@/server/doors/perform';
import { tabParams } from '../fields';
import { defineRoute, noBody, nothing, type InSession, type Route } from '../route';

const path = '/api/v1/sessions/:s/tabs/:t/trace';

/** Routes for performance traces (PS5); each runs the action `trace`. */
export const traceRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    about: 'Whether the tab is being traced, and the last trace that ended by itself.',
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: noBody,
    answer: traceStateSchema,
    run: async (call) => ({ status: 200, json: await valueOf(call, call.params.t, { do: 'get' }) }),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/start`,
    about:
      'Starts a trace of what the page does. It ends by itself after `maxMs`, when it is full, and when the wheel goes to somebody else; it is then kept among the files of the session.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: z
      .strictObject({
        screenshots: z.boolean().optional(),
        maxMs: z.int().min(TRACE_LIMITS.minMs).max(TRACE_LIMITS.maxMs).optional(),
      })
      .optional(),
    answer: traceStateSchema,
    run: async (call) => ({ status: 200, json: await valueOf(call, call.params.t, { do: 'start', ...call.body }) }),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/stop`,
    about:
      'Ends the trace and gives its file, which opens in the performance panel of Chrome; compressed with `gzip`. It stays among the files of the session.',
    grant: 'drive',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: z.strictObject({ gzip: z.boolean().optional(), saveAs: z.string().min(1).max(255).optional() }).optional(),
    answer: { media: 'application/octet-stream' },
    timeoutMs: BUDGET_LIMITS.transferMs,
    run: async (call) => {
      const { file } = traceKeptSchema.parse(await valueOf(call, call.params.t, { do: 'stop', ...call.body }));
      const { view, content } = await FILES.of(call.session).sessionFiles.open(file.name);
      return { status: 200, file: content, name: view.name, size: view.size };
    },
  }),
];

/** Runs the action and returns its value. Throws its failure as the failure of the route. */
async function valueOf(
  { services, session, caller, signal, budget }: InSession,
  tab: string,
  fields: object,
): Promise<unknown> {
  const action = parseAction({ kind: 'trace', ...fields });
  const { startedAt } = budget;
  const reply = await performAction(services.clock, session, caller, tab, action, { signal, startedAt });
  if (reply.error) throw fromWire(reply.error);
  return reply.value;
}
