import { docsPage } from './docs-page';
import { openApi } from './openapi';
import type { Route } from './route';

export interface HttpDocument {
  readonly text: string;
  readonly type: string;
  readonly headers?: Record<string, string>;
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The OpenAPI document and its readable page, made once from the same schemas that parse the requests (DO1). */
export function documentRoutes(routes: readonly Route[]): Record<string, HttpDocument> {
  const document = openApi(routes);
  return {
    '/api/v1/openapi.json': { text: JSON.stringify(document), type: 'application/json' },
    '/api/docs': {
      text: docsPage(routes, document),
      type: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': PAGE_POLICY },
    },
  };
}
