import { z } from 'zod';
import { humanOf } from '@/server/access/principal';
import { defineRoute, noBody, nothing, type Route } from '../route';

/** The people of a workspace (AU2). */
export const memberRoutes: readonly Route[] = [
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/members/:id',
    about:
      'Takes a person out of the workspace: their keys and invitations end at once, and their sign-ins where they are in no other workspace; their sessions pass to its oldest owner. The last owner cannot leave.',
    grant: 'manage',
    thing: 'member',
    peopleOnly: 'People are removed by people only.',
    params: z.strictObject({ id: z.string().min(1).max(200) }),
    query: nothing,
    body: noBody,
    answer: z.object({ id: z.string(), removed: z.literal(true) }),
    run: async ({ services, caller, member }) => {
      await services.access.removal.remove(humanOf(caller.principal), member);
      return { status: 200, json: { id: member, removed: true } };
    },
  }),
];
