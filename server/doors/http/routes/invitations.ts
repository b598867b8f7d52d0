import { z } from 'zod';
import { roleSchema } from '@/lib/rights/roles';
import type { Invitation } from '@/server/store/invitations';
import type { Services } from '../../services';
import { invitationSchema, joinedSchema, newInvitationSchema, offerSchema, revokedSchema } from '../answers';
import { emailSchema, newPasswordSchema, personNameSchema } from '../fields';
import { definePublicRoute, type PublicRoute } from '../public-route';
import { defineRoute, noBody, nothing, type Route } from '../route';

const byId = z.strictObject({ id: z.string().min(1).max(200) });
const DAY_S = 86_400;
/** Seconds. */
const expiresIn = z
  .int()
  .min(60)
  .max(30 * DAY_S);
const lifeMsOf = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000;

function viewOf({ access }: Services, invitation: Invitation): z.infer<typeof invitationSchema> {
  const { id, role, email, by, createdAt, expiresAt } = invitation;
  return { id, role, by, createdAt, expiresAt, email: email ?? null, mail: access.invitations.mailOf(invitation) };
}

export const invitationRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/invitations',
    about: 'The invitations into the workspace that can still be used, without their links.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.array(invitationSchema),
    run: async ({ services, caller }) => ({
      status: 200,
      json: (await services.access.invitations.list(caller.principal.workspace)).map((one) => viewOf(services, one)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/invitations',
    about:
      'Invites a person into the workspace. The link is shown once, also sent to `email` where the server sends mails, and works once; `expiresIn` is in seconds.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: z.strictObject({ role: roleSchema, email: emailSchema.optional(), expiresIn: expiresIn.optional() }),
    answer: newInvitationSchema,
    success: 201,
    run: async ({ services, caller, body: { role, email, expiresIn: seconds } }) => {
      const wanted = { role, email, lifeMs: lifeMsOf(seconds) };
      const { invitation, url } = await services.access.invitations.create(caller.principal, wanted);
      return { status: 201, json: { ...viewOf(services, invitation), url } };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/invitations/:id',
    about: 'Changes the role of an open invitation, or when it ends, in seconds from now.',
    grant: 'manage',
    thing: 'invitation',
    params: byId,
    query: nothing,
    body: z.strictObject({ role: roleSchema.optional(), expiresIn: expiresIn.optional() }),
    answer: invitationSchema,
    run: async ({ services, caller, invitation, body: { role, expiresIn: seconds } }) => {
      const change = { role, lifeMs: lifeMsOf(seconds) };
      return {
        status: 200,
        json: viewOf(services, await services.access.invitations.change(caller.principal, invitation, change)),
      };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/invitations/:id',
    about: 'Ends an open invitation at once.',
    grant: 'manage',
    thing: 'invitation',
    params: byId,
    query: nothing,
    body: noBody,
    answer: revokedSchema,
    run: async ({ services, caller, invitation }) => {
      await services.access.invitations.revoke(caller.principal, invitation);
      return { status: 200, json: { id: invitation, revoked: true } };
    },
  }),
];

/** The secret of a link: longer text is none, and not worth a look-up. */
const token = z.string().min(1).max(200);

/** For people who have the link of an invitation (AU2). */
export const publicInvitationRoutes: readonly PublicRoute[] = [
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/invitations/open',
    about: 'What an invitation offers, by the token of its link. It stays unused.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ token }),
    answer: offerSchema,
    run: async ({ services, body }) => {
      const { email, ...offer } = await services.access.invitations.open(body.token);
      return { status: 200, json: { ...offer, email: email ?? null } };
    },
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/invitations/accept',
    about:
      'Uses an invitation: with a name it makes an account (`email` may be left out when the invitation is for one) and signs in; without one the person who is signed in joins the workspace.',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      token,
      name: personNameSchema.optional(),
      email: emailSchema.optional(),
      password: newPasswordSchema.optional(),
    }),
    answer: joinedSchema,
    run: async ({ services: { access }, request, body: { token: secret, name, ...given } }) => {
      if (name === undefined)
        return { status: 200, json: { signedIn: true, workspace: await access.joining.join(secret, request) } };
      const { setCookies, principal } = await access.joining.accept(secret, { name, ...given }, request);
      return { status: 200, json: { signedIn: true, workspace: principal.workspace }, cookies: setCookies };
    },
  }),
];
