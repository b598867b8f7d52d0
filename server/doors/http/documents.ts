import { needsOf, openApi, type OpenApi } from './openapi';
import type { Documented } from './route';
import { escapeHtml } from '@/lib/text/escape-html';
import { z } from 'zod';
import { ACTION_KINDS, kindOf } from '@/lib/actions/kinds';
import { ERROR_TABLE } from '@/lib/errors/codes';

const STYLE =
  ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:32px auto;padding:0 20px;color:#18181d;background:#fff}h2{margin-top:40px}table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}td,th{text-align:left;padding:6px 10px;border-bottom:1px solid #e4e4e8;vertical-align:top}code,pre{font:13px ui-monospace,monospace}pre{background:#f7f7f8;padding:14px;border-radius:8px;overflow:auto}details{border-bottom:1px solid #e4e4e8;padding:6px 0}summary{cursor:pointer}summary code{overflow-wrap:anywhere}summary span{color:#5b5b66}@media(prefers-color-scheme:dark){body{background:#0e0e11;color:#ededf0}td,th,details{border-color:#26262d}pre{background:#1c1c21}a{color:#a5b4fc}summary span{color:#a0a0ab}}';

const MOST = 4_000;

export interface HttpDocument {
  readonly text: string;
  readonly type: string;
  readonly headers?: Record<string, string>;
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const built = new WeakMap<readonly Documented[], Record<string, HttpDocument>>();

/**
 * The OpenAPI document and its readable page, made from the schemas that parse the requests (DO1): once a process,
 * since it takes 0.2 s.
 */
export function documentRoutes(routes: readonly Documented[]): Record<string, HttpDocument> {
  const known = built.get(routes) ?? build(routes);
  built.set(routes, known);
  return known;
}

function build(routes: readonly Documented[]): Record<string, HttpDocument> {
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

/** Renders the API as a page for people, without scripts, fonts or external pictures. */
function docsPage(routes: readonly Documented[], document: OpenApi): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Wheelhouse API</title><style>${STYLE}</style>
<h1>Wheelhouse API</h1>
<p>Send <code>Authorization: Bearer &lt;key&gt;</code>; <code>X-Agent</code> names you. Bodies and answers are JSON. Failures are <code>{"error": {code, message, hint, retry, details?}}</code>.
The machine-readable form is <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2>Routes</h2>${routes.map(routePart).join('')}
<h2>Actions</h2><p>The body of <code>…/act</code> is one of these, told apart by <code>kind</code>.</p><table><tr><th>Kind</th><th>Needs</th><th>Time</th><th>What it does</th></tr>${actionRows()}</table>
<details><summary>Every field of every action</summary><pre>${escapeHtml(JSON.stringify(document.components.schemas['Action'], null, 1))}</pre></details>
<h2>Errors</h2><table><tr><th>Code</th><th>Status</th><th>Try again</th><th>What to do</th></tr>${errorRows()}</table></html>`;
}

function routePart(route: Documented): string {
  const { method, path, about, success, answer } = route;
  const answered = 'media' in answer ? answer.media : json(answer, 'output');
  return `<details><summary><code>${method} ${escapeHtml(path)}</code> <span>${prose(about)}</span></summary><p>${prose(needsOf(route))} Answers ${success}.</p>${part('Query', json(route.query, 'input'))}${part('Body', route.streams ? 'the content itself, as it is' : json(route.bodyShown ?? route.body, 'input'))}${part('Answer', answered)}</details>`;
}

function json(schema: z.ZodType, io: 'input' | 'output'): string {
  if (schema instanceof z.ZodUndefined || (schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0))
    return '';
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const text = JSON.stringify(written, null, 1);
  return text.length > MOST ? `${text.slice(0, MOST)}\n… the rest is in openapi.json` : text;
}

function part(title: string, text: string): string {
  return text === '' ? '' : `<h4>${title}</h4><pre>${escapeHtml(text)}</pre>`;
}

function actionRows(): string {
  return ACTION_KINDS.map((kind) => {
    const { access, timeoutMs, about, example } = kindOf({ kind });
    const needs = access === 'read' ? 'watch' : 'the wheel';
    return `<tr><td><code>${kind}</code></td><td>${needs}</td><td>${timeoutMs / 1_000} s</td><td>${prose(about)}<br><code>${escapeHtml(JSON.stringify(example))}</code></td></tr>`;
  }).join('');
}

function errorRows(): string {
  return Object.entries(ERROR_TABLE)
    .map(
      ([code, { status, retry, hint }]) =>
        `<tr><td><code>${code}</code></td><td>${status}</td><td>${retry}</td><td>${prose(hint)}</td></tr>`,
    )
    .join('');
}

/** Escapes text and renders `code` spans. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
