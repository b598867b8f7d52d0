import { z } from 'zod';
import { egressPolicySchema } from '@/lib/egress/policy';
import { OUTGOING } from '@/server/features/outgoing/outgoing';
import { sessionPolicyAnswerSchema } from '../answers';
import { sessionParams } from '../fields';
import { defineRoute, noBody, nothing, type InSession, type Route } from '../route';

/** Where the pages of a session may go (GU1). */
export const sessionPolicyRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/policy',
    about:
      'Where the pages of a session may go: its own `egress` and that of its `workspace`, each null where it narrows nothing.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: sessionPolicyAnswerSchema,
    run: async (call) => ({ status: 200, json: policyOf(call) }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/sessions/:s/policy',
    about:
      'Changes where the pages of a session may go, within what its workspace allows; null: all of that. It holds at once and ends open connections. With `seen`, the policy that the editor saw, CONFLICT if it was changed since. UNSUPPORTED in an attached Chrome.',
    grant: 'manage',
    thing: 'session',
    peopleOnly: 'Where the pages of a session may go is changed by people only.',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({ egress: egressPolicySchema.nullable(), seen: egressPolicySchema.nullable().optional() }),
    answer: sessionPolicyAnswerSchema,
    run: async (call) => {
      const { egress, seen } = call.body;
      await OUTGOING.of(call.session).narrow(call.budget, call.caller, egress ?? undefined, seen);
      return { status: 200, json: policyOf(call) };
    },
  }),
];

function policyOf({ services, session, caller: { principal } }: InSession): z.infer<typeof sessionPolicyAnswerSchema> {
  const { id } = session;
  return {
    session: id,
    egress: OUTGOING.of(session).policy ?? null,
    workspace: services.egress.policyOf(principal.workspace) ?? null,
    mayChange: principal.kind === 'human' && services.access.sessions.moderates(principal, id),
  };
}
