import { z } from 'zod';
import { BUDGET_LIMITS, clampTimeout } from '@/lib/budget/limits';
import { WheelhouseError } from '@/lib/errors/error';
import { controlSchema, timelineEventSchema } from '@/lib/protocol/views';
import type { Session } from '@/server/sessions/session';
import { controlAnswerSchema } from '../answers';
import { count, sessionParams, tabParams, timeoutText } from '../fields';
import { defineRoute, noBody, nothing, type Call, type Route } from '../route';
import { sessionOf } from './sessions';

const BUILT = ['take', 'release', 'hand-back'] as const;
const controlBody = z.strictObject({
  do: z.enum(['take', 'request', 'grant', 'deny', 'release', 'hand-over', 'hand-back', 'ask-human', 'answer']),
  note: z.string().max(1_000).optional(),
  scope: z.enum(['session', 'tab']).optional(),
  to: z.string().max(200).optional(),
  result: z.string().max(200).optional(),
  private: z.boolean().optional(),
  reason: z.string().max(1_000).optional(),
});

export const controlRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/tabs/:t/control',
    about: 'Who has the wheel.',
    grant: 'watch',
    params: tabParams,
    query: nothing,
    body: noBody,
    answer: controlSchema,
    run: async (call) => {
      const session = sessionOf(call, call.params.s);
      return { status: 200, json: session.control(session.findTab(call.caller, call.params.t).tab.id) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/tabs/:t/control',
    about: 'Takes the wheel, lets go of it, or hands it back with a note.',
    grant: 'drive',
    params: tabParams,
    query: nothing,
    body: controlBody,
    answer: controlSchema,
    run: async (call) => {
      const session = sessionOf(call, call.params.s);
      const tab = session.findTab(call.caller, call.params.t).tab.id;
      await changeControl(session, call, tab, call.body);
      return { status: 200, json: session.control(tab) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/tabs/:t/control/wait',
    about: 'Answers when the caller may act, with the receipt of the hand-back.',
    grant: 'drive',
    params: tabParams,
    query: z.strictObject({ timeoutMs: timeoutText.optional() }),
    body: noBody,
    answer: controlAnswerSchema,
    timeoutMs: BUDGET_LIMITS.maxMs,
    run: async (call) => {
      const session = sessionOf(call, call.params.s);
      const tab = session.findTab(call.caller, call.params.t).tab.id;
      const budget = call.budget.child(clampTimeout(call.query.timeoutMs));
      try {
        await session.desk.waitFor(budget, tab, call.caller.principal.id);
      } finally {
        budget.dispose();
      }
      const handoff = session.handover.receipt(call.caller.principal.id, false);
      return { status: 200, json: handoff === undefined ? session.control(tab) : { ...session.control(tab), handoff } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/timeline',
    about: 'What happened, in order.',
    grant: 'watch',
    params: sessionParams,
    query: z.strictObject({
      since: count(1_000_000_000).optional(),
      actor: z.string().max(200).optional(),
      kind: z.string().max(60).optional(),
      limit: count(10_000).optional(),
      format: z.enum(['json', 'jsonl']).optional(),
    }),
    body: noBody,
    answer: z.array(timelineEventSchema),
    run: async (call) => {
      const { format, limit = 500, ...filter } = call.query;
      const events = await sessionOf(call, call.params.s).timeline.events({ ...filter, limit });
      if (format !== 'jsonl') return { status: 200, json: events };
      return { status: 200, text: events.map((event) => `${JSON.stringify(event)}\n`).join(''), type: 'application/x-ndjson' };
    },
  }),
];

async function changeControl(session: Session, call: Pick<Call<unknown, unknown, unknown>, 'caller' | 'budget'>, tab: string, body: z.infer<typeof controlBody>): Promise<void> {
  session.require(call.caller.principal, 'drive');
  switch (body.do) {
    case 'take':
      return session.takeWheel(call.budget, call.caller, tab, body.scope ?? 'session');
    case 'release':
      return session.handover.release(call.caller, tab);
    case 'hand-back':
      return session.handover.handBack(call.caller, tab, body.note);
    default:
      throw new WheelhouseError('UNSUPPORTED', `"${body.do}" cannot be done yet.`, { details: { supported: BUILT } });
  }
}
