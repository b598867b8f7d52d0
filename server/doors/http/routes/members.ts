import { z } from 'zod';
import { humanOf } from '@/server/access/principal';
import { MEMBER_DEEDS } from '@/server/access/members';
import { roleSchema } from '@/lib/rights/roles';
import type { Member } from '@/server/store/people';
import { memberSchema } from '../answers';
import { defineRoute, noBody, nothing, type Route } from '../route';

const byId = z.strictObject({ id: z.string().min(1).max(200) });

const viewOf = ({ id, name, email, role, since, serverOwner }: Member): z.infer<typeof memberSchema> => ({
  ...{ id, name, role, since, serverOwner },
  email: email ?? null,
});

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
    params: byId,
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
    method: 'GET',
    path: '/api/v1/members',
    about: 'The people of the workspace with their roles, oldest first; `may`: what the caller may do for each.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.array(memberSchema.extend({ may: z.array(z.enum(MEMBER_DEEDS)) })),
    run: async ({ services, caller }) => ({
      status: 200,
      json: (await services.access.members.list(caller.principal)).map(({ may, ...member }) => ({
        ...viewOf(member),
        may: [...may],
      })),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/members/:id',
    about:
      'Changes the role of a person; it holds at once. With `from`, the role that the caller saw, a change that somebody else made in the meantime is not overwritten (CONFLICT).',
    grant: 'manage',
    thing: 'member',
    peopleOnly: 'Roles are changed by people only.',
    params: byId,
    query: nothing,
    body: z.strictObject({ role: roleSchema, from: roleSchema.optional() }),
    answer: memberSchema,
    run: async ({ services, caller, member, body }) => ({
      status: 200,
      json: viewOf(await services.access.members.setRole(caller.principal, member, body)),
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
    params: byId,
    query: nothing,
    body: noBody,
    answer: z.object({ id: z.string(), removed: z.literal(true) }),
    run: async ({ services, caller, member }) => {
      await services.access.removal.remove(humanOf(caller.principal), member);
      return { status: 200, json: { id: member, removed: true } };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/members/:id/second-factor',
    about: 'Turns the codes of a person off who has lost them, and removes their passkeys if they have a password.',
    grant: 'manage',
    thing: 'member',
    peopleOnly: 'Second factors are reset by people only.',
    params: byId,
    query: nothing,
    body: noBody,
    answer: z.object({ id: z.string(), reset: z.literal(true) }),
    run: async ({ services, caller, member }) => {
      await services.access.secondFactor.reset(humanOf(caller.principal), member);
      return { status: 200, json: { id: member, reset: true } };
    },
  }),
];
