import { z } from 'zod';
import { KEY_GRANTS, keyGrantSchema } from '@/lib/rights/grants';
import { keySchema, newKeySchema, revokedSchema } from '../answers';
import { keyNameSchema } from '../fields';
import { defineRoute, noBody, nothing, type Route } from '../route';

const TEN_YEARS_S = 10 * 366 * 86_400;

const byId = z.strictObject({ id: z.string().min(1).max(200) });
const grants = z.array(keyGrantSchema).min(1).max(KEY_GRANTS.length);
const sessions = z.union([z.enum(['own', 'workspace']), z.array(z.string().min(1).max(200)).min(1).max(200)]);
/** Seconds. */
const expiresIn = z.int().min(60).max(TEN_YEARS_S);

/** Keys of agents: one's own, and with `manage` those of the workspace (AU2). */
export const keyRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/keys',
    about: "The caller's keys, with `manage` those of the workspace, without their text.",
    grant: 'keys',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.array(keySchema),
    run: async ({ services, caller }) => ({ status: 200, json: await services.access.keys.list(caller.principal) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/keys',
    about:
      'Makes a key for an agent. Its text is shown once. It sees its `own` sessions (the default), also those named, or all of the `workspace`; it ends after `expiresIn` seconds.',
    grant: 'keys',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      name: keyNameSchema,
      grants: grants.optional(),
      sessions: sessions.optional(),
      expiresIn: expiresIn.optional(),
    }),
    answer: newKeySchema,
    success: 201,
    run: async ({ services, caller, body }) => {
      const { key, text } = await services.access.keys.create(caller.principal, {
        name: body.name,
        grants: body.grants ?? ['watch', 'drive', 'evaluate'],
        sessions: body.sessions ?? 'own',
        expiresIn: body.expiresIn,
      });
      return { status: 201, json: { ...key, key: text } };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/keys/:id',
    about:
      'Changes a key, within what the caller may. Its connections end and come back with the new rights. `expiresIn` counts from now; null: until it is revoked.',
    grant: 'keys',
    thing: 'key',
    params: byId,
    query: nothing,
    body: z.strictObject({
      name: keyNameSchema.optional(),
      grants: grants.optional(),
      sessions: sessions.optional(),
      expiresIn: expiresIn.nullable().optional(),
    }),
    answer: keySchema,
    run: async ({ services, caller, key, body }) => ({
      status: 200,
      json: await services.access.keys.change(caller.principal, key, body),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/keys/:id/rotate',
    about: 'Gives a key a new text, which is shown once. The old one ends at once.',
    grant: 'keys',
    thing: 'key',
    params: byId,
    query: nothing,
    body: noBody,
    answer: newKeySchema,
    run: async ({ services, caller, key: id }) => {
      const { key, text } = await services.access.keys.rotate(caller.principal, id);
      return { status: 200, json: { ...key, key: text } };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/keys/:id',
    about: 'Revokes a key at once.',
    grant: 'keys',
    thing: 'key',
    params: byId,
    query: nothing,
    body: noBody,
    answer: revokedSchema,
    run: async ({ services, caller, key }) => {
      await services.access.keys.revoke(caller.principal, key);
      return { status: 200, json: { id: key, revoked: true } };
    },
  }),
];
