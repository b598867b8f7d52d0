import { signInWaysSchema } from '../answers';
import { definePublicRoute, type PublicRoute } from '../public-route';
import { noBody, nothing } from '../route';

/** How people sign in (AU2). Each of these answers a stranger, and has limits of its own. */
export const signInRoutes: readonly PublicRoute[] = [
  definePublicRoute({
    method: 'GET',
    path: '/api/v1/sign-in',
    about: 'How people can sign in here. `now` is the time of the server, for codes that depend on it.',
    query: nothing,
    body: noBody,
    answer: signInWaysSchema,
    run: async ({ services: { access }, request }) => ({ status: 200, json: access.accounts.ways(request.headers) }),
  }),
];
