import { z } from 'zod';
import { workspaceSchema } from '../answers';
import { nameSchema } from '../fields';
import { defineRoute, noBody, nothing, type Route } from '../route';

/** The workspaces of the server. */
export const workspacesRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/workspaces',
    about: "The caller's workspaces, with the role in each; of a key, its only one.",
    grant: 'watch',
    thing: 'connection',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.array(workspaceSchema),
    run: async ({ services, caller }) => ({
      status: 200,
      json: await services.access.workspaces.list(caller.principal),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/workspaces',
    about: 'Makes a workspace, whose first owner is the caller. Only the owner of the server makes them.',
    grant: 'manage',
    thing: 'server',
    peopleOnly: 'Workspaces are made by people only.',
    params: nothing,
    query: nothing,
    body: z.strictObject({ name: nameSchema }),
    answer: workspaceSchema,
    success: 201,
    run: async ({ services, caller, body }) => ({
      status: 201,
      json: await services.access.workspaces.create(caller.principal, body.name),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/workspace',
    about: 'The workspace of this call.',
    grant: 'watch',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: workspaceSchema,
    run: async ({ services, caller }) => ({
      status: 200,
      json: await services.access.workspaces.present(caller.principal),
    }),
  }),
];
