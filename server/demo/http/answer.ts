import type { ServerResponse } from 'node:http';
import type { Markup } from '@/server/demo/html';

/** The result of a handler; one function writes it to the socket. */
export type Answer =
  | { readonly kind: 'page'; readonly status: number; readonly body: Markup }
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'redirect'; readonly to: string };

export const page = (body: Markup, status = 200): Answer => ({ kind: 'page', status, body });
export const redirect = (to: string): Answer => ({ kind: 'redirect', to });

/** Only the shop's own files may load; scripts and styles are separate files. */
const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' } as const;

/** Writes the answer and ends the response. `extra` are headers such as the shopper's cookie. */
export function sendAnswer(response: ServerResponse, answer: Answer, extra: Readonly<Record<string, string>>): void {
  const { status, headers, text } = parts(answer);
  const length = { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...COMMON, ...headers, ...length, ...extra }).end(text);
}

function parts(answer: Answer): {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
} {
  const fresh = { 'cache-control': 'no-store' };
  switch (answer.kind) {
    case 'page':
      return {
        status: answer.status,
        headers: { ...fresh, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
        text: answer.body.toString(),
      };
    case 'text':
      return {
        status: 200,
        headers: { 'cache-control': 'max-age=600', 'content-type': answer.type },
        text: answer.text,
      };
    case 'json':
      return {
        status: 200,
        headers: { ...fresh, 'content-type': 'application/json' },
        text: JSON.stringify(answer.value),
      };
    case 'redirect':
      return { status: 303, headers: { ...fresh, location: answer.to }, text: '' };
  }
}
