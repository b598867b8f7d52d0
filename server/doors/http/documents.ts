import { z } from 'zod';
import { actionSchema } from '@/lib/actions/kinds';
import { replySchema } from '@/lib/actions/reply';
import { wireErrorSchema } from '@/lib/errors/error';
import type { Route } from './route';

export interface Document {
  readonly text: string;
  readonly type: string;
  readonly headers?: Record<string, string>;
}

/** The OpenAPI document and its readable page, made once from the same schemas that parse the requests (DO1). */
export function documentRoutes(routes: readonly Route[]): Record<string, Document> {
  return {
    '/api/v1/openapi.json': { text: JSON.stringify(openApi(routes)), type: 'application/json' },
    '/api/docs': { text: page(routes), type: 'text/html; charset=utf-8', headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" } },
  };
}

function openApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Wheelhouse', version: '1', description: 'See and steer shared browsers. Act with the actions of one vocabulary; every answer is typed.' },
    security: [{ key: [] }],
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } }, schemas: { Action: schemaOf(actionSchema), Reply: schemaOf(replySchema), Error: schemaOf(wireErrorSchema) } },
  };
}

function operation(route: Route): object {
  const isAct = route.path.endsWith('/act');
  const parameters = [...named(route.params, 'path'), ...named(route.query, 'query')];
  const body = isAct ? { $ref: '#/components/schemas/Action' } : route.body instanceof z.ZodUndefined ? undefined : schemaOf(route.body);
  const answer = isAct ? { $ref: '#/components/schemas/Reply' } : {};
  return {
    summary: route.about,
    parameters,
    ...(body === undefined ? {} : { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      default: { description: 'A failure', content: { 'application/json': { schema: { type: 'object', properties: { error: { $ref: '#/components/schemas/Error' } } } } } },
      '200': { description: 'The answer', content: { 'application/json': { schema: answer } } },
    },
  };
}

function named(schema: z.ZodType, place: 'path' | 'query'): object[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.keys(schema.shape).map((name) => ({ name, in: place, required: place === 'path', schema: { type: 'string' } }));
}

function schemaOf(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function page(routes: readonly Route[]): string {
  const rows = routes.map((route) => `<tr><td><code>${route.method}</code></td><td><code>${escape(route.path)}</code></td><td>${escape(route.about)}</td><td>${route.grant}</td></tr>`);
  const kinds = z.toJSONSchema(actionSchema, { io: 'input', unrepresentable: 'any' });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Wheelhouse API</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:32px auto;padding:0 20px;color:#18181d}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:6px 10px;border-bottom:1px solid #e4e4e8;vertical-align:top}code,pre{font:13px ui-monospace,monospace}pre{background:#f7f7f8;padding:14px;border-radius:8px;overflow:auto}@media(prefers-color-scheme:dark){body{background:#0e0e11;color:#ededf0}td,th{border-color:#26262d}pre{background:#1c1c21}}</style>
<h1>Wheelhouse API</h1><p>Send <code>Authorization: Bearer &lt;key&gt;</code>. Failures are <code>{"error": {code, message, hint, retry, details?}}</code>. The machine-readable form is <a href="/api/v1/openapi.json">openapi.json</a>.</p>
<table><tr><th>Method</th><th>Path</th><th>What it does</th><th>Needs</th></tr>${rows.join('')}</table><h2>Actions</h2><p>The body of <code>…/act</code> is one of these.</p><pre>${escape(JSON.stringify(kinds, null, 1))}</pre></html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
