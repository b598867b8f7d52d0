import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Services } from '../services';
import { withBudget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { authenticated } from '../authenticated';
import { demandRight, refused } from '../things';
import { requestFacts } from './request-facts';

const READS = { grant: 'watch', thing: 'workspace' } as const;
const FIGURES = { grant: 'manage', thing: 'server' } as const;

/**
 * The health endpoint for machines (OP3). Anonymous callers get one bit; reasons require a sign-in, and figures the
 * owner of the server or one of their keys.
 */
export async function ops(
  services: Services,
  path: '/healthz' | '/readyz' | '/metrics',
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === '/healthz') return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok\n');
  if (path === '/readyz') return ready(services, request, response);
  const principal = await withBudget({ timeoutMs: BUDGET_LIMITS.readMs, clock: services.clock }, (budget) =>
    authenticated(budget, services, requestFacts(services, request)),
  );
  demandRight({ services, caller: { principal, door: 'http' } }, FIGURES, {});
  response.writeHead(200, { 'Content-Type': services.metrics.contentType }).end(await services.metrics.text());
}

async function ready(services: Services, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const trouble = await services.store.trouble();
  const principal = await services.access.authentication.principalFromRequest(requestFacts(services, request));
  const reasons = trouble === undefined ? [] : [trouble];
  const mails = services.access.mail?.trouble;
  const asker = principal && { services, caller: { principal, door: 'http' } as const };
  // Warnings name the server's settings and addresses of people of other workspaces.
  const isOwner = asker !== undefined && !refused(asker, FIGURES, {});
  const forOwner = isOwner ? [...services.warnings, ...(mails === undefined ? [] : [mails])] : [];
  const body =
    asker && !refused(asker, READS, {})
      ? {
          ready: trouble === undefined,
          reasons,
          timelines: services.timelines.state,
          warnings: [...services.hub.warnings(asker.caller.principal.workspace), ...forOwner].map(({ text }) => text),
        }
      : { ready: trouble === undefined };
  response
    .writeHead(trouble === undefined ? 200 : 503, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(body));
}
