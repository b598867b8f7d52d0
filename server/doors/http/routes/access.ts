import { z } from 'zod';
import { sessionRoleSchema } from '@/lib/rights/roles';
import { accessSchema } from '../answers';
import { sessionParams } from '../fields';
import { defineRoute, noBody, nothing, type Route } from '../route';

/** The most people and keys that one call changes. */
const MOST_ROLES = 200;

const roles = z
  .record(z.string().min(1).max(200), sessionRoleSchema.nullable())
  .refine((by) => Object.keys(by).length <= MOST_ROLES, { message: `has more than ${MOST_ROLES} entries` });

/** Who may enter a session, and what as (AU3). */
export const accessRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/access',
    about:
      'Who may enter a session and what as. `candidates`, for those who may change it: the people and keys that can be given a role.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: accessSchema,
    run: async ({ services, caller, session }) => ({
      status: 200,
      json: await services.access.sessions.view(caller.principal, session.id),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/sessions/:s/access',
    about:
      'Changes who may enter a session: its `workspace` or `named` people and keys, whether others may only watch, and roles by the id of a person or key (null takes one away). It holds at once.',
    grant: 'manage',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({
      open: z.enum(['workspace', 'named']).optional(),
      watchOnly: z.boolean().optional(),
      roles: roles.optional(),
    }),
    answer: accessSchema,
    run: async ({ services, caller: { principal }, session, body }) => {
      const about = session.secrets.shown({ id: session.id, name: session.name });
      return { status: 200, json: await services.access.sessions.change(principal, about, body) };
    },
  }),
];
