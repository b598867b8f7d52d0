import { z } from 'zod';
import { guestNameSchema } from '@/lib/links/guest-name';
import { linkOfferSchema, linkTermsFields } from '@/lib/links/link-terms';
import { linkViewSchema, newLinkSchema } from '@/lib/links/link-view';
import { revokedSchema } from '../answers';
import { idSchema, sessionParams } from '../fields';
import { definePublicRoute, type PublicRoute } from '../public-route';
import { defineRoute, noBody, nothing, type Route } from '../route';

const path = '/api/v1/sessions/:s/links';
const linkParams = sessionParams.extend({ id: idSchema });
const { grants, expiresIn, maxViewers, password } = linkTermsFields;

/** Share links of a session (AU4). */
export const linkRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    about:
      "The caller's share links of a session, with `manage` those of everybody, with who used them. `reach`: whether other computers can open them.",
    grant: 'share',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: z.object({ reach: z.enum(['everywhere', 'this-computer']), links: z.array(linkViewSchema) }),
    run: async ({ services: { access }, caller, session }) => ({
      status: 200,
      json: {
        reach: access.beyondLoopback ? 'everywhere' : 'this-computer',
        links: await access.links.list(caller.principal, session.id),
      },
    }),
  }),
  defineRoute({
    method: 'POST',
    path,
    about:
      'Shares a session, or one of its tabs, by a link. The address is shown once; `expiresIn` is in seconds (an hour, at most seven days) and ends what is open then, too.',
    grant: 'share',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: z.strictObject({
      grants: grants.optional(),
      expiresIn: expiresIn.optional(),
      maxViewers: maxViewers.optional(),
      password: password.optional(),
      tab: idSchema.optional(),
    }),
    answer: newLinkSchema,
    success: 201,
    run: async ({ services: { access }, caller, session, body: { tab, password: passcode, ...terms } }) => {
      const shown = tab === undefined ? undefined : session.registry.find(tab).tab.id;
      const about = session.secrets.shown({ id: session.id, name: session.name });
      const { link, url } = await access.links.create(caller.principal, about, { ...terms, passcode, tab: shown });
      return { status: 201, json: { ...link, url } };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${path}/:id`,
    about:
      'Changes a share link; it holds at once in what is open. `expiresIn` counts from now. A new `password` sends its guests back to the whole address; null takes it, or the most viewers, away.',
    grant: 'share',
    thing: 'link',
    params: linkParams,
    query: nothing,
    body: z.strictObject({
      grants: grants.optional(),
      expiresIn: expiresIn.optional(),
      maxViewers: maxViewers.nullable().optional(),
      password: password.nullable().optional(),
    }),
    answer: linkViewSchema,
    run: async ({ services: { access }, caller, session, link, body: { password: passcode, ...terms } }) => {
      const about = session.secrets.shown({ id: session.id, name: session.name });
      return { status: 200, json: await access.links.change(caller.principal, about, link, { ...terms, passcode }) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    about: 'Ends a share link at once, with what its guests have open.',
    grant: 'share',
    thing: 'link',
    params: linkParams,
    query: nothing,
    body: noBody,
    answer: revokedSchema,
    run: async ({ services: { access }, caller, session, link }) => {
      const about = session.secrets.shown({ id: session.id, name: session.name });
      await access.links.revoke(caller.principal, about, link);
      return { status: 200, json: { id: link, revoked: true } };
    },
  }),
];

/** For guests, who prove nothing but that they have the link (AU4). */
export const publicLinkRoutes: readonly PublicRoute[] = [
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/links/:id/open',
    about:
      'Opens a share link with the secret behind the # of its address, and sets the cookie `wh_link_<id>`. Later requests name the link in `X-Link`, sockets in `auth.link`; no other credential of theirs is read. Without `secret`, the guest of that cookie goes on, under another `name` where one is given. The answer has what the link gives at this moment (`tab` null: the whole session). 401 says why in `details.reason`.',
    params: z.strictObject({ id: idSchema }),
    query: nothing,
    body: z.strictObject({
      secret: z.string().min(1).max(200).optional(),
      name: guestNameSchema.optional(),
      password: z.string().max(200).optional(),
    }),
    answer: linkOfferSchema.extend({ guest: z.object({ id: z.string(), name: z.string() }) }),
    run: async ({ services: { access }, request, params, body: { password: passcode, ...body } }) => {
      const site = access.authentication.siteOf(request.headers);
      const { link, guest, setCookie } = await access.links.open(
        params.id,
        { ...body, passcode },
        { ...request, site },
      );
      const { id, name } = guest;
      return { status: 200, json: { ...(await access.links.offer(link)), guest: { id, name } }, cookies: [setCookie] };
    },
  }),
];
