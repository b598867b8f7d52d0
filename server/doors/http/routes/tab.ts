import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { actionSchema } from '@/lib/actions/kinds';
import { snapshotOptionFields } from '@/lib/actions/snapshot-options';
import { parseAction } from '@/lib/actions/parse';
import { ERROR_TABLE, isErrorCode } from '@/lib/errors/codes';
import { fromWire, toWire, type WheelhouseError } from '@/lib/errors/error';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { snapshotViewSchema, type SnapshotView } from '@/lib/protocol/views';
import { parseStep, stepInText } from '@/lib/steps/parse';
import { readable } from '@/server/browser/snapshot/snapshot-delta';
import type { Tab } from '@/server/browser/tab';
import { performAction, performStep } from '@/server/doors/perform';
import { snapshotAnswerSchema, stepsAnswerSchema } from '../answers';
import { count, flag, names, tabParams, timeoutText } from '../fields';
import type { Caller } from '@/server/session/caller';
import { defineGuestRoute, defineRoute, noBody, nothing, type Answer, type Call, type Route } from '../route';

type TabCall = Call<'session', z.infer<typeof tabParams>, unknown, unknown, Caller>;

/** The path of a route below a tab. */
const path = (rest: string): string => `/api/v1/sessions/:s/tabs/:t/${rest}`;

const snapshotQuery = z.strictObject({
  view: snapshotOptionFields.view,
  interactive: flag.optional(),
  compact: flag.optional(),
  depth: count(100).optional(),
  selector: z.string().min(1).max(2_000).optional(),
  maxChars: count(1_000_000).optional(),
  urls: flag.optional(),
  preset: snapshotOptionFields.preset,
  frame: snapshotOptionFields.frame,
  find: snapshotOptionFields.find,
  findRegex: snapshotOptionFields.findRegex,
  ignoreProperties: names.optional(),
  ignoreRoles: names.optional(),
  boxes: flag.optional(),
  since: count(1_000_000_000).optional(),
  refs: flag.optional(),
  timeoutMs: timeoutText.optional(),
} satisfies Record<keyof typeof snapshotOptionFields, z.ZodType> & z.ZodRawShape);

const screenshotQuery = z.strictObject({
  ref: z.string().max(40).optional(),
  fullPage: flag.optional(),
  format: z.enum(['png', 'jpeg', 'webp']).optional(),
  quality: count(100).optional(),
  labels: flag.optional(),
  timeoutMs: timeoutText.optional(),
});

const documentSchema = z.object({ base64: z.string() });
const pictureSchema = z.object({ format: z.string(), base64: z.string() });

export const tabRoutes: readonly Route[] = [
  defineGuestRoute({
    method: 'POST',
    path: path('act'),
    about: 'Carries out one action and answers when the page has settled.',
    // The least grant and the session only: the action path checks the grants of the kind, and finds the tab after it
    // has looked for an earlier reply, because a repeated action may have closed its tab.
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: z.unknown(),
    bodyShown: actionSchema,
    answer: replySchema,
    run: async (call) => replyAnswer(await act(call, call.body)),
    failed: (error, { params, input }) => replyAnswer(refusedReply(error, params, input)),
  }),
  defineGuestRoute({
    method: 'POST',
    path: path('steps'),
    about:
      'Carries out one step, given as such or found in free text; `result` is where the caller is now, the answer of `stop`, and whether the page changed.',
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: z
      .strictObject({
        step: z.string().max(20_000).optional(),
        text: z.string().max(100_000).optional(),
        splitter: z.string().min(1).max(40).optional(),
      })
      .refine((body) => (body.step === undefined) !== (body.text === undefined), {
        path: ['step'],
        message: 'or "text" must be given, and only one of them',
      })
      .refine((body) => body.splitter === undefined || body.text !== undefined, {
        path: ['splitter'],
        message: 'goes with "text"',
      }),
    answer: stepsAnswerSchema,
    run: async (call) => {
      const { step, text, splitter } = call.body;
      const parsed = step === undefined ? stepInText(text ?? '', splitter) : { ...parseStep(step), rule: 'step' };
      const { reply, result } = await performStep(
        call.services.clock,
        call.session,
        call.caller,
        call.params.t,
        parsed.action,
        { signal: call.signal, startedAt: call.budget.startedAt },
      );
      return { ...replyAnswer(reply), json: { parsed, reply, result } };
    },
  }),
  defineGuestRoute({
    method: 'GET',
    path: path('snapshot'),
    about: 'The page as text lines with refs.',
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: snapshotQuery,
    body: noBody,
    answer: snapshotAnswerSchema,
    run: async (call) => {
      const { refs, ...options } = call.query;
      const reply = await done(call, { kind: 'snapshot', ...options });
      const snapshot = snapshotViewSchema.parse(reply.value);
      const tab = refs === true ? call.session.registry.get(reply.tab)?.tab : undefined;
      if (tab) return { status: 200, json: { ...snapshot, refs: withNodes(tab, snapshot.refs) } };
      if (refs === true || options.boxes === true) return { status: 200, json: snapshot };
      const { refs: _list, ...text } = readable(snapshot);
      return { status: 200, json: text };
    },
  }),
  defineRoute({
    method: 'POST',
    path: path('pdf'),
    about: 'The page as a PDF.',
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: nothing,
    body: z
      .strictObject({
        landscape: z.boolean().optional(),
        background: z.boolean().optional(),
        paper: z.string().max(20).optional(),
        timeoutMs: z.number().optional(),
      })
      .optional(),
    answer: { media: 'application/pdf' },
    run: async (call) => {
      const document = documentSchema.parse((await done(call, { kind: 'pdf', ...call.body })).value);
      return { status: 200, bytes: Buffer.from(document.base64, 'base64'), type: 'application/pdf' };
    },
  }),
  defineRoute({
    method: 'GET',
    path: path('screenshot'),
    about: 'A picture of the tab, the whole page or one element.',
    grant: 'watch',
    thing: 'session',
    params: tabParams,
    query: screenshotQuery,
    body: noBody,
    answer: { media: 'image/*' },
    run: async (call) => {
      const picture = pictureSchema.parse((await done(call, { kind: 'screenshot', ...call.query })).value);
      return { status: 200, bytes: Buffer.from(picture.base64, 'base64'), type: `image/${picture.format}` };
    },
  }),
];

/**
 * A call refused before it became an action still gets a reply, so that clients parse one form.
 */
function refusedReply(error: WheelhouseError, params: unknown, input: unknown): Reply {
  const { id = randomUUID(), kind = '' } = asSent.parse(input);
  const { t = '' } = inPath.parse(params);
  return {
    ok: false,
    id,
    kind,
    tab: t,
    url: '',
    startedAt: new Date().toISOString(),
    ms: 0,
    warnings: [],
    error: toWire(error),
  };
}

const asSent = z
  .object({ id: z.string().max(100).optional().catch(undefined), kind: z.string().max(60).optional().catch(undefined) })
  .catch({});
const inPath = z.object({ t: z.string().optional() }).catch({});

async function act({ services, session, caller, signal, budget, params }: TabCall, input: unknown): Promise<Reply> {
  const { startedAt } = budget;
  return performAction(services.clock, session, caller, params.t, parseAction(input), { signal, startedAt });
}

/** Adds the node of each ref, so that an action can name it by `node`. */
function withNodes({ refs, targetId }: Tab, shown: SnapshotView['refs']): SnapshotView['refs'] {
  return shown.map((ref) => ({ ...ref, node: refs.nodeOf(ref.ref, targetId) }));
}

/** Runs a reading action. Throws its failure as the failure of the route. */
async function done(call: TabCall, input: unknown): Promise<Reply> {
  const reply = await act(call, input);
  if (reply.error) throw fromWire(reply.error);
  return reply;
}

function replyAnswer(reply: Reply): Extract<Answer, { json: unknown }> {
  const code = reply.error?.code;
  return { status: code !== undefined && isErrorCode(code) ? ERROR_TABLE[code].status : 200, json: reply };
}
