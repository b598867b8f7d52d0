import { z } from 'zod';
import { humanOf } from '@/server/access/principal';
import { defineRoute, noBody, nothing, type Route } from '../route';

/** The people of a workspace (AU2). */
export const memberRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/members/:id/password-link',
    about:
      'Makes a link by which this person chooses a new password; it works once, within a day. It is sent to their address where the server sends mails.',
    grant: 'manage',
    thing: 'member',
    peopleOnly: 'Links to choose a password are made by people only.',
    params: z.strictObject({ id: z.string().min(1).max(200) }),
    query: nothing,
    body: noBody,
    answer: z.object({ url: z.string(), expiresAt: z.string(), mail: z.enum(['none', 'sending', 'sent', 'failed']) }),
    success: 201,
    run: async ({ services, caller, member }) => ({
      status: 201,
      json: await services.access.passwordLinks.give(humanOf(caller.principal), member),
    }),
  }),
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
