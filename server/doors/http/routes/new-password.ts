import { z } from 'zod';
import { emailSchema, newPasswordSchema } from '../fields';
import { definePublicRoute, type PublicRoute } from '../public-route';
import { nothing } from '../route';

/** For who has forgotten a password (AU2). */
export const newPasswordRoutes: readonly PublicRoute[] = [
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/forgotten',
    about:
      'Sends a link to choose a new password to this address, if an account has it; the answer is the same for all. `mail`: whether this server sends mails; else an admin makes such a link.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ email: emailSchema }),
    answer: z.object({ mail: z.boolean() }),
    run: async ({ services: { access }, request, body }) => ({
      status: 200,
      json: { mail: await access.passwordLinks.forgotten(body.email, request) },
    }),
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/new-password',
    about: 'Sets a new password, by the token of a link. All sign-ins of that person end; they sign in with it next.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ token: z.string().min(1).max(200), password: newPasswordSchema }),
    answer: z.object({ changed: z.literal(true) }),
    run: async ({ services: { access }, request, body }) => {
      await access.passwordLinks.use(body.token, body.password, request);
      return { status: 200, json: { changed: true } };
    },
  }),
];
