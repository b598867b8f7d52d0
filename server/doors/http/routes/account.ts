import { z } from 'zod';
import { humanOf } from '@/server/access/principal';
import { accountSchema, newSecondFactorSchema, passkeyOptionsSchema, passkeySchema } from '../answers';
import { codeSchema, emailSchema, nameSchema, newPasskeySchema, newPasswordSchema, personNameSchema } from '../fields';
import { defineRoute, noBody, nothing, type Answer, type Call, type Route } from '../route';

/** Why a key is refused at the routes of an account. */
export const peopleOnly = 'Accounts are of people: a key has none.';
const path = '/api/v1/account';
const own = { grant: 'watch', thing: 'account', peopleOnly, params: nothing, query: nothing } as const;
/** The present password of a person who has one. */
const currentPassword = z.string().min(1).max(200).optional();
const proof = z.strictObject({ currentPassword }).optional();

type AccountCall = Pick<Call<'account', object, object, unknown>, 'services' | 'caller' | 'request'>;

async function account({ services: { access }, caller, request }: AccountCall): Promise<Answer> {
  const by = humanOf(caller.principal);
  const { code, ...view } = await access.accounts.view(by);
  const recoveryCodes = await access.secondFactor.recoveryCodesOf(by, request);
  const now = access.accounts.time;
  return { status: 200, json: { ...view, secondFactor: { on: code, recoveryCodes }, now } };
}

/** The caller's own account: people reach it whatever their rights are (AU2). */
export const accountRoutes: readonly Route[] = [
  defineRoute({
    ...own,
    method: 'GET',
    path,
    about: "The caller's account: who they are, and how they can sign in.",
    body: noBody,
    answer: accountSchema,
    run: account,
  }),
  defineRoute({
    ...own,
    method: 'PATCH',
    path,
    about: "Changes the caller's name, or the address that they sign in with, which asks for a proof.",
    body: z.strictObject({ name: personNameSchema.optional(), email: emailSchema.optional(), currentPassword }),
    answer: accountSchema,
    run: async (call) => {
      await call.services.access.accounts.change(humanOf(call.caller.principal), call.body);
      return account(call);
    },
  }),
  defineRoute({
    ...own,
    method: 'PUT',
    path: `${path}/password`,
    about: "Changes the caller's password, and ends their other sign-ins.",
    body: z.strictObject({ password: newPasswordSchema, currentPassword }),
    answer: z.object({ changed: z.literal(true) }),
    run: async ({ services: { access }, caller, request, body }) => {
      await access.accounts.changePassword(humanOf(caller.principal), body, request);
      return { status: 200, json: { changed: true } };
    },
  }),
  defineRoute({
    ...own,
    method: 'POST',
    path: `${path}/second-factor`,
    about: 'Begins with codes of an authenticator app. They are on when a first one is confirmed.',
    body: proof,
    answer: newSecondFactorSchema,
    success: 201,
    run: async ({ services: { access }, caller, request, body }) => ({
      status: 201,
      json: await access.secondFactor.begin(humanOf(caller.principal), body?.currentPassword, request),
    }),
  }),
  defineRoute({
    ...own,
    method: 'POST',
    path: `${path}/second-factor/confirm`,
    about: 'Turns codes on, by a first code of the authenticator app.',
    body: z.strictObject({ code: codeSchema }),
    answer: z.object({ on: z.literal(true) }),
    run: async ({ services: { access }, caller, request, body }) => {
      await access.secondFactor.confirm(humanOf(caller.principal), body.code, request);
      return { status: 200, json: { on: true } };
    },
  }),
  defineRoute({
    ...own,
    method: 'DELETE',
    path: `${path}/second-factor`,
    about: 'Turns codes off; their recovery codes end, too.',
    body: proof,
    answer: z.object({ on: z.literal(false) }),
    run: async ({ services: { access }, caller, body }) => {
      await access.secondFactor.end(humanOf(caller.principal), body?.currentPassword);
      return { status: 200, json: { on: false } };
    },
  }),
  defineRoute({
    ...own,
    method: 'DELETE',
    path: `${path}/provider`,
    about:
      "Removes the caller's identity of the provider, where they have another way to sign in. Their sign-ins stay.",
    body: proof,
    answer: z.object({ removed: z.literal(true) }),
    run: async ({ services: { access }, caller, body }) => {
      await access.accounts.removeProvider(humanOf(caller.principal), body?.currentPassword);
      return { status: 200, json: { removed: true } };
    },
  }),
  defineRoute({
    ...own,
    method: 'POST',
    path: `${path}/recovery-codes`,
    about: 'Makes new recovery codes, in place of the old ones. They are shown once.',
    body: proof,
    answer: newSecondFactorSchema.pick({ recoveryCodes: true }),
    run: async ({ services: { access }, caller, request, body }) => {
      const by = humanOf(caller.principal);
      const recoveryCodes = await access.secondFactor.renewRecoveryCodes(by, body?.currentPassword, request);
      return { status: 200, json: { recoveryCodes } };
    },
  }),
  defineRoute({
    ...own,
    method: 'GET',
    path: `${path}/passkeys`,
    about: "The caller's passkeys.",
    body: noBody,
    answer: z.array(passkeySchema),
    run: async ({ services: { access }, caller }) => ({
      status: 200,
      json: await access.passkeys.list(humanOf(caller.principal)),
    }),
  }),
  defineRoute({
    ...own,
    method: 'POST',
    path: `${path}/passkeys/options`,
    about: 'Begins with a new passkey: what the browser needs to make it.',
    body: proof,
    answer: passkeyOptionsSchema,
    run: async ({ services: { access }, caller, request, body }) => {
      const by = humanOf(caller.principal);
      const { options, setCookies } = await access.passkeys.begin(by, body?.currentPassword, request);
      return { status: 200, json: options, cookies: setCookies };
    },
  }),
  defineRoute({
    ...own,
    method: 'POST',
    path: `${path}/passkeys`,
    about: 'Adds the passkey that the browser made, within five minutes.',
    body: z.strictObject({ name: nameSchema, response: newPasskeySchema }),
    answer: passkeySchema,
    success: 201,
    run: async ({ services: { access }, caller, request, body }) => ({
      status: 201,
      json: await access.passkeys.add(humanOf(caller.principal), body, request),
    }),
  }),
  defineRoute({
    ...own,
    params: z.strictObject({ id: z.string().min(1).max(200) }),
    method: 'DELETE',
    path: `${path}/passkeys/:id`,
    about: 'Removes a passkey of the caller.',
    body: proof,
    answer: z.object({ id: z.string(), removed: z.literal(true) }),
    run: async ({ services: { access }, caller, params: { id }, body }) => {
      await access.passkeys.remove(humanOf(caller.principal), id, body?.currentPassword);
      return { status: 200, json: { id, removed: true } };
    },
  }),
];
