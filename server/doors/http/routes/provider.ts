import { z } from 'zod';
import { asWheelhouseError, WheelhouseError } from '@/lib/errors/error';
import type { ProviderSignIn, Redirect } from '@/server/access/oidc/provider-sign-in';
import { demandClick } from '@/server/access/authentication';
import type { Services } from '../../services';
import { definePublicRoute, type PublicRoute } from '../public-route';
import { noBody, nothing } from '../route';

const to = z.string().max(1_000).optional();

/** Signing in by the provider of OIDC_ISSUER (AU2). A browser opens the first and the last. */
export const providerRoutes: readonly PublicRoute[] = [
  definePublicRoute({
    method: 'GET',
    path: '/api/v1/sign-in/oidc',
    about: 'Leads the browser to the provider, and afterwards to `to`; when that fails to `/sign-in?oidc=CODE`.',
    params: nothing,
    query: z.object({ to }),
    body: noBody,
    answer: { media: 'text/plain' },
    success: 302,
    run: async ({ services, budget, request, query }) => ({
      status: 302,
      ...(await led(services, (provider) => {
        demandClick(request.headers);
        return provider.begin(budget, query, request);
      })),
    }),
  }),
  definePublicRoute({
    method: 'POST',
    path: '/api/v1/sign-in/oidc',
    about:
      'The same for a page, which then opens `url`. `invitation`: the token of an invitation to use; `connect`: the person who is signed in adds the provider to their account, which asks for a proof.',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      to,
      invitation: z.string().min(1).max(100).optional(),
      connect: z.literal(true).optional(),
      currentPassword: z.string().min(1).max(200).optional(),
    }),
    answer: z.object({ url: z.string() }),
    run: async ({ services, budget, request, body }) => {
      const { location, cookies } = await providerOf(services).begin(budget, body, request);
      return { status: 200, json: { url: location }, cookies };
    },
  }),
  definePublicRoute({
    method: 'GET',
    path: '/api/v1/sign-in/oidc/callback',
    about: 'Where the provider leads the browser back to.',
    params: nothing,
    query: z.record(z.string(), z.string()),
    body: noBody,
    answer: { media: 'text/plain' },
    success: 302,
    run: async ({ services, budget, request, query }) => ({
      status: 302,
      ...(await led(services, (provider) => provider.finish(budget, query, request))),
    }),
  }),
];

/** Throws UNSUPPORTED where no provider is set. */
function providerOf({ access: { provider } }: Services): ProviderSignIn {
  if (provider) return provider;
  throw new WheelhouseError('UNSUPPORTED', 'Nobody signs in by a provider on this server.', {
    hint: 'Sign in in another way; the owner of the server can set OIDC_ISSUER.',
  });
}

/** A browser that is led somewhere shows no error of the API: the page of the sign-in says what its code means. */
async function led(services: Services, go: (provider: ProviderSignIn) => Promise<Redirect>): Promise<Redirect> {
  try {
    return await go(providerOf(services));
  } catch (error) {
    return { location: `/sign-in?oidc=${asWheelhouseError(error).code}`, cookies: [] };
  }
}
