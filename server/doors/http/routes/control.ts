import { z } from 'zod';
import { BUDGET_LIMITS, clampTimeout } from '@/lib/budget/limits';
import { WheelhouseError } from '@/lib/errors/error';
import { controlSchema } from '@/lib/protocol/views';
import { WHEEL_DEEDS, wheelFields, type WheelWish } from '@/lib/protocol/wheel';
import { carryOutWish } from '@/server/sessions/wheel-wish';
import { controlAnswerSchema } from '../answers';
import { tabParams, timeoutText } from '../fields';
import { defineRoute, noBody, nothing, type Route } from '../route';
import { sessionOf } from './sessions';

const controlBody = z.strictObject({
  do: z.enum([...WHEEL_DEEDS, 'ask-human', 'answer']),
  ...wheelFields,
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
    about: 'Takes the wheel, asks for it, answers who asked, lets go of it, hands it over or back with a note.',
    grant: 'drive',
    params: tabParams,
    query: nothing,
    body: controlBody,
    answer: controlSchema,
    run: async (call) => {
      const session = sessionOf(call, call.params.s);
      const tab = session.findTab(call.caller, call.params.t).tab.id;
      await carryOutWish(call.budget, session, call.caller, tab, wishOf(call.body));
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
];

function wishOf({ do: deed, scope, note, to }: z.infer<typeof controlBody>): WheelWish {
  if (deed === 'ask-human' || deed === 'answer') throw new WheelhouseError('UNSUPPORTED', `"${deed}" cannot be done yet.`, { details: { supported: WHEEL_DEEDS } });
  return { do: deed, scope, note, to };
}
