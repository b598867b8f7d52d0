import { HELP_REQUESTS } from '@/server/features/help/help-requests';
import { RECEIPT_OUTBOX } from '@/server/features/receipts/receipts';
import { z } from 'zod';
import { BUDGET_LIMITS, clampTimeout } from '@/lib/budget/limits';
import { controlSchema } from '@/lib/protocol/views';
import { LEASE_VERBS, leaseRequestFields } from '@/lib/protocol/lease-request';
import { performLeaseRequest, leaseRequestBudget } from '@/server/features/control/lease-request';
import { PAUSE } from '@/server/session/feature-slots';
import { controlAnswerSchema, leaseRequestAnswerSchema } from '../answers';
import { tabParams, timeoutText } from '../fields';
import { defineGuestRoute, noBody, nothing, type Route } from '../route';

const controlBody = z.strictObject({
  do: z.enum(LEASE_VERBS),
  ...leaseRequestFields,
});

export const controlRoutes: readonly Route[] = [
  defineGuestRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/tabs/:t/control',
    about: 'Who has the wheel.',
    grant: 'watch',
    thing: 'tab',
    params: tabParams,
    query: nothing,
    body: noBody,
    answer: controlSchema,
    run: async ({ session, sessionTab }) => ({ status: 200, json: session.control(sessionTab.tab.id) }),
  }),
  defineGuestRoute({
    method: 'POST',
    path: '/api/v1/sessions/:s/tabs/:t/control',
    about:
      'Takes the wheel, asks for it, answers who asked, lets go of it, hands it over or back with a note; asks a person and waits for the answer, answers, or says that a person is on it.',
    grant: 'drive',
    thing: 'tab',
    params: tabParams,
    query: nothing,
    body: controlBody,
    answer: leaseRequestAnswerSchema,
    timeoutMs: BUDGET_LIMITS.maxMs,
    run: async (call) => {
      const { session, sessionTab } = call;
      const budget = leaseRequestBudget(call.budget, call.body, BUDGET_LIMITS.routeMs);
      try {
        const question = await performLeaseRequest(budget, session, call.caller, sessionTab, call.body);
        const handoff = question && RECEIPT_OUTBOX.of(session).of(call.caller.principal.id);
        return {
          status: 200,
          json: { ...session.control(sessionTab.tab.id), ...(question && { question }), ...(handoff && { handoff }) },
        };
      } finally {
        budget.dispose();
      }
    },
  }),
  defineGuestRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/tabs/:t/control/wait',
    about:
      'Answers when the caller may act (no other participant has the wheel, and agents are not paused), with the receipt of the hand-back and what became of its questions; with `until=shown` when the page is not held privately any more.',
    grant: 'drive',
    thing: 'tab',
    params: tabParams,
    query: z.strictObject({ timeoutMs: timeoutText.optional(), until: z.enum(['wheel', 'shown']).optional() }),
    body: noBody,
    answer: controlAnswerSchema,
    timeoutMs: BUDGET_LIMITS.maxMs,
    run: async (call) => {
      const { session } = call;
      const tab = call.sessionTab.tab.id;
      const { id } = call.caller.principal;
      const budget = call.budget.shortened(clampTimeout(call.query.timeoutMs));
      try {
        if (call.query.until === 'shown') await session.leases.waitForShown(budget, tab);
        else {
          await PAUSE.of(session).waitFor(budget, call.caller.principal);
          await session.leases.waitFor(budget, tab, id);
        }
        const handoff = RECEIPT_OUTBOX.of(session).of(id);
        const answers = await HELP_REQUESTS.of(session).outcomes(budget, id);
        return {
          status: 200,
          json: { ...session.control(tab), ...(handoff && { handoff }), ...(answers.length > 0 && { answers }) },
        };
      } finally {
        budget.dispose();
      }
    },
  }),
];
