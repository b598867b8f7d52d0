import type { IncomingMessage, ServerResponse } from 'node:http';
import { demand } from '@/server/access/may';
import type { Services } from '../services';
import { requestFacts } from './request-facts';

/** Health for machines (OP3). Anonymous callers learn one bit; reasons and figures are for signed-in ones. */
export async function ops(
  services: Services,
  path: '/healthz' | '/readyz' | '/metrics',
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === '/healthz') return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok\n');
  if (path === '/readyz') return ready(services, request, response);
  const principal = await services.access.signIn.requirePrincipal(requestFacts(request));
  demand(
    services.access.may(principal, 'watch', {
      kind: 'workspace',
      id: principal.workspace,
      workspace: principal.workspace,
    }),
  );
  response.writeHead(200, { 'Content-Type': services.metrics.contentType }).end(await services.metrics.text());
}

async function ready(services: Services, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const trouble = services.store.trouble();
  const principal = await services.access.signIn.principalFromRequest(requestFacts(request));
  const reasons = trouble === undefined ? [] : [trouble];
  const body = principal
    ? {
        ready: trouble === undefined,
        reasons,
        timelines: services.timelines.state,
        warnings: [...services.warnings, ...services.hub.warnings(principal.workspace)],
      }
    : { ready: trouble === undefined };
  response
    .writeHead(trouble === undefined ? 200 : 503, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(body));
}
