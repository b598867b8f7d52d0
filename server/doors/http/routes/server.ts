import { serverViewSchema } from '@/lib/protocol/server-view';
import { defineRoute, noBody, nothing, type Route } from '../route';

/** For the owner of the server, and keys of theirs that have `manage` (AU3). */
export const serverRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/server',
    about:
      'The state of the whole server: versions, addresses, workspaces, the Chromes of all workspaces, settings, mail and sign-in by a provider, figures. For the owner of the server.',
    grant: 'manage',
    thing: 'server',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: serverViewSchema,
    run: async ({ services }) => ({ status: 200, json: await services.diagnostics.view(services) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/server/bundle',
    about:
      'A file for a bug report: versions, settings, figures, and the newest warnings and errors, without secrets and without names. For the owner of the server.',
    grant: 'manage',
    thing: 'server',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: { media: 'application/octet-stream' },
    run: async ({ services }) => {
      const text = new Blob([await services.diagnostics.bundle(services)]);
      return { status: 200, file: text.stream(), name: 'wheelhouse-diagnostics.json', size: text.size };
    },
  }),
];
