import { z } from 'zod';
import { humanOf } from '@/server/access/principal';
import { signInSchema } from '../answers';
import { defineRoute, noBody, nothing, type Route } from '../route';
import { peopleOnly } from './account';

const path = '/api/v1/account/sign-ins';

/** Where a person is signed in. */
export const signInsRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    about: "The caller's sign-ins, newest first; `here` is the one of this call.",
    grant: 'watch',
    thing: 'account',
    peopleOnly,
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.array(signInSchema),
    run: async ({ services, caller }) => {
      const all = await services.access.signIns.list(humanOf(caller.principal));
      return { status: 200, json: all.map(({ workspace: _w, person: _p, ...signIn }) => signIn) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path,
    about: 'Signs the caller out everywhere but here, and ends their unused sign-in links.',
    grant: 'watch',
    thing: 'account',
    peopleOnly,
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.object({ ended: z.int() }),
    run: async ({ services, caller }) => ({
      status: 200,
      json: { ended: await services.access.signIns.endOthers(humanOf(caller.principal)) },
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    about: 'Ends one sign-in of the caller at once.',
    grant: 'watch',
    thing: 'account',
    peopleOnly,
    params: z.strictObject({ id: z.string().min(1).max(200) }),
    query: nothing,
    body: noBody,
    answer: z.object({ id: z.string(), ended: z.literal(true) }),
    run: async ({ services, caller, params: { id } }) => {
      await services.access.signIns.end(humanOf(caller.principal), id);
      return { status: 200, json: { id, ended: true } };
    },
  }),
];
