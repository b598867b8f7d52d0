import { z } from 'zod';
import { IDLE } from '@/server/features/idle/idle-limit';
import { idleMsSchema } from '@/lib/protocol/idle';
import { egressPolicySchema } from '@/lib/egress/policy';
import type { MemberCaller } from '@/server/session/caller';
import { endedSchema, guardSchema, presentWorkspaceSchema, workspaceSchema } from '../answers';
import { nameSchema, urlSchema } from '../fields';
import { verdictOn } from '../guard-verdict';
import { demandRight } from '../../things';
import { defineRoute, noBody, nothing, type Route, type RouteContext } from '../route';

/** The workspaces of the server. */
export const workspaceRoutes: readonly Route[] = [
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
    about: 'The workspace of this call, with its policies.',
    grant: 'watch',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: presentWorkspaceSchema,
    run: async (call) => ({ status: 200, json: await present(call) }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/workspace',
    about:
      'Changes the name of the workspace, or where its pages may go (`policy.egress`): the `open` internet without private addresses, the `listed` sites only, or with `local` all that the server allows, for development, null: all that the server allows, which a key only narrows; or after how long without use its sessions end (`policy.idleMs`, null: each as its maker said); or whether people without a second factor have no rights in it (`policy.secondFactor`), which only people change, and only who has one turns on. With the `revision` that the editor saw, CONFLICT if it was changed since.',
    grant: 'manage',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      name: nameSchema.optional(),
      revision: z.string().max(100).optional(),
      policy: z
        .strictObject({
          egress: egressPolicySchema.nullable().optional(),
          idleMs: idleMsSchema.nullable().optional(),
          secondFactor: z.boolean().optional(),
        })
        .optional(),
    }),
    answer: presentWorkspaceSchema,
    run: async (call) => {
      const { access, egress, hub } = call.services;
      const { principal } = call.caller;
      const policy = await access.workspaces.change(principal, call.body);
      egress.narrowWorkspace(principal.workspace, policy.egress);
      for (const session of hub.list(principal.workspace)) IDLE.of(session).narrow(policy.idleMs);
      return { status: 200, json: await present(call) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/workspace',
    about:
      'Ends the workspace with its sessions, browsers, keys and invitations. Who is in no other one is signed out. The first workspace of the server stays.',
    grant: 'own',
    thing: 'workspace',
    peopleOnly: 'Workspaces are ended by people only.',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: endedSchema,
    run: async ({ services: { access, hub }, caller }) => {
      const { workspace } = caller.principal;
      await access.workspaces.end(caller.principal);
      await hub.clear(caller);
      return { status: 200, json: { id: workspace, state: 'ended' } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/workspace/guard/check',
    about:
      'Whether pages of a new session may go to `url`, and if not, which rule denies that and whose it is; also if the policy of the workspace were `egress` (null: none), which needs the grant `manage`, and that of the session `session`.',
    grant: 'watch',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      url: urlSchema,
      egress: egressPolicySchema.nullable().optional(),
      session: egressPolicySchema.optional(),
    }),
    answer: guardSchema,
    run: async ({ services, caller, budget, body: { url, egress, session } }) => {
      // Under a wider policy the answer tells of names and addresses that the present one hides.
      if (egress !== undefined) demandRight({ services, caller }, { grant: 'manage', thing: 'workspace' }, {});
      const present = services.egress.policyOf(caller.principal.workspace);
      const workspace = egress === undefined ? present : (egress ?? undefined);
      return { status: 200, json: await verdictOn(services, budget, { policies: { workspace, session } }, url) };
    },
  }),
];

async function present({
  services: { access },
  caller: { principal },
}: Pick<RouteContext, 'services'> & { readonly caller: MemberCaller }): Promise<
  z.infer<typeof presentWorkspaceSchema>
> {
  const { policy, ...settings } = await access.workspaces.settings(principal);
  const { egress = null, idleMs = null, secondFactor } = policy;
  return { ...settings, policy: { egress, idleMs, secondFactor } };
}
