import { z } from 'zod';
import { passkeyOptionsSchema, signedInSchema, signInOutcomeSchema, signInMethodsSchema } from '../answers';
import { codeSchema, emailSchema, passkeyProofSchema } from '../fields';
import { definePublicRoute, type PublicRoute } from '../public-route';
import { noBody, nothing, type Answer } from '../route';

const MOST_PASSWORD = 200;
const signedIn = ({ setCookies }: { readonly setCookies: readonly string[] }): Answer => ({
  status: 200,
  json: { signedIn: true },
  cookies: setCookies,
});

/** How people sign in (AU2). Each of these answers a stranger, and has limits of its own. */
export const signInRoutes: readonly PublicRoute[] = [
  definePublicRoute({
    method: 'GET',
    path: '/api/v1/sign-in',
    about:
      'How people can sign in here. `accounts`: whether anybody can without a link that the server prints. `now` is the time of the server, for codes that depend on it.',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: signInMethodsSchema,
    run: async ({ services: { access, store }, request }) => ({
      status: 200,
      json: {
        ...access.accounts.methods(request.headers),
        oidc: access.provider && { name: access.provider.name },
        accounts: await store.accounts.any(),
      },
    }),
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/password',
    about:
      'Signs a person in by e-mail address and password. With a second factor, the answer asks for it: `POST /sign-in/code` or `/sign-in/recovery`, within ten minutes.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ email: emailSchema, password: z.string().min(1).max(MOST_PASSWORD) }),
    answer: signInOutcomeSchema,
    run: async ({ services: { access }, request, body }) => {
      const outcome = await access.accounts.signInByPassword(body, request);
      const now = access.accounts.time;
      const secondFactor: ('code' | 'recovery')[] = ['code', 'recovery'];
      const json = outcome.kind === 'signedIn' ? { signedIn: true } : { secondFactor, now };
      return { status: 200, json, cookies: outcome.setCookies };
    },
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/code',
    about: 'The second step after a password: a code of the authenticator app, which works once.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ code: codeSchema }),
    answer: signedInSchema,
    run: async ({ services: { access }, request, body }) =>
      signedIn(await access.secondFactor.signInByCode(body.code, request)),
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/recovery',
    about:
      'The second step after a password, for who has lost the authenticator app: a recovery code, which works once.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ code: codeSchema }),
    answer: signedInSchema,
    run: async ({ services: { access }, request, body }) =>
      signedIn(await access.secondFactor.signInByRecoveryCode(body.code, request)),
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/passkey/options',
    about: 'Begins to sign in by a passkey: what the browser needs for it.',
    params: nothing,
    query: nothing,
    body: z.strictObject({}).optional(),
    answer: passkeyOptionsSchema,
    run: async ({ services: { access }, request }) => {
      const { options, setCookies } = await access.passkeys.challenge(request);
      return { status: 200, json: options, cookies: setCookies };
    },
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/passkey',
    about: 'Signs a person in by the answer of their passkey, within five minutes.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ response: passkeyProofSchema }),
    answer: signedInSchema,
    run: async ({ services: { access }, request, body }) =>
      signedIn(await access.passkeys.signIn(body.response, request)),
  }),
];
