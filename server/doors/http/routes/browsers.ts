import { z } from 'zod';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import type { Caller } from '@/server/session/caller';
import type { Services } from '../../services';
import { demandRight } from '../../things';
import { browserSchema, demoSchema, detectionSchema, endedSchema } from '../answers';
import { defineRoute, noBody, nothing, type Route } from '../route';

/**
 * An attached Chrome is a connection from this server to any address: on a server that other computers can reach only
 * its owner makes one, or sees what is installed there.
 */
function demandMachine(asker: { readonly services: Services; readonly caller: Caller }): void {
  if (asker.services.access.beyondLoopback) demandRight(asker, { grant: 'manage', thing: 'server' }, {});
}

const byId = z.strictObject({ id: z.string().min(1).max(200) });

export const browserRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/browsers',
    about: 'The browsers of the workspace.',
    grant: 'watch',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: z.array(browserSchema),
    run: async ({ services, caller }) => ({ status: 200, json: services.browsers.list(caller.principal.workspace) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/browsers/detect',
    about:
      'Which Chrome would be launched, and why. On a server that other computers can reach, for the owner of the server.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: detectionSchema,
    run: async ({ services, caller }) => {
      demandMachine({ services, caller });
      return { status: 200, json: await services.browsers.detect() };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/browsers',
    about:
      'Launches a Chrome, or attaches to a running one by its CDP address. On a server that other computers can reach, only the owner of the server attaches.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: z
      .strictObject({ cdpUrl: z.string().trim().min(1).max(2_048).optional(), launch: z.strictObject({}).optional() })
      .refine((body) => (body.cdpUrl === undefined) !== (body.launch === undefined), {
        path: ['cdpUrl'],
        message: 'or "launch" must be given, and only one of them',
      }),
    answer: browserSchema,
    success: 201,
    timeoutMs: BUDGET_LIMITS.launchMs,
    run: async ({ services, caller, budget, body }) => {
      const { workspace } = caller.principal;
      if (body.cdpUrl !== undefined) demandMachine({ services, caller });
      const browser =
        body.cdpUrl === undefined
          ? await services.browsers.launch(budget, workspace, false)
          : await services.hub.attach(budget, workspace, body.cdpUrl);
      return { status: 201, json: services.browsers.list(workspace).find((view) => view.id === browser.id) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/browsers/:id',
    about: 'Stops a launched browser, or lets go of an attached one.',
    grant: 'manage',
    thing: 'browser',
    params: byId,
    query: nothing,
    body: noBody,
    answer: endedSchema,
    run: async ({ services, budget, browser }) => {
      await services.browsers.end(budget, browser);
      return { status: 200, json: { id: browser.id, state: 'ended' } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/demo',
    about: 'Is the demo running?',
    grant: 'watch',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: demoSchema,
    run: async ({ services, caller }) => ({ status: 200, json: services.demo.status(caller.principal) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/demo',
    about: 'Starts the demo shop and an agent that buys in it.',
    grant: 'manage',
    thing: 'workspace',
    peopleOnly: 'The demo is for people to start.',
    params: nothing,
    query: nothing,
    body: z.strictObject({}).optional(),
    answer: demoSchema,
    success: 202,
    run: async ({ services, caller }) => ({ status: 202, json: await services.demo.start(caller.principal) }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/demo',
    about: 'Stops the demo.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: demoSchema,
    run: async ({ services, caller }) => ({ status: 200, json: await services.demo.stop(caller.principal) }),
  }),
];
