import { z } from 'zod';
import { childTargetSchema } from './child-target';

/**
 * The entries of a tab's buffers (PS1). All text comes from the page: it is cleaned, bounded and freed of secrets
 * before it is kept. `at` is ISO 8601 and only for display.
 */

const placed = { id: z.int(), rev: z.int() } as const;
const place = { url: z.string(), line: z.int(), column: z.int() } as const;

export const CONSOLE_LEVELS = ['debug', 'log', 'info', 'warning', 'error'] as const;

export const consoleEntrySchema = z.object({
  ...placed,
  at: z.string(),
  level: z.enum(CONSOLE_LEVELS),
  /** The console method (`log`, `table`, `trace` …), or the part of Chrome that reports (`network`, `security` …). */
  source: z.string(),
  text: z.string(),
  where: z.object(place).optional(),
  from: childTargetSchema.optional(),
});
export type ConsoleEntry = z.infer<typeof consoleEntrySchema>;

export const pageErrorSchema = z.object({
  ...placed,
  at: z.string(),
  /** Name and message of an uncaught exception. */
  text: z.string(),
  stack: z.string().optional(),
  /** True for an unhandled rejection. */
  rejection: z.boolean(),
  where: z.object(place).optional(),
  from: childTargetSchema.optional(),
});
export type PageError = z.infer<typeof pageErrorSchema>;

export const headerSchema = z.object({ name: z.string(), value: z.string() });
export type Header = z.infer<typeof headerSchema>;

/** Milliseconds; -1 where a phase did not happen (as HAR 1.2 has it). */
export const timingSchema = z.object({
  blocked: z.number(),
  dns: z.number(),
  connect: z.number(),
  ssl: z.number(),
  send: z.number(),
  wait: z.number(),
  receive: z.number(),
});
export type RequestTiming = z.infer<typeof timingSchema>;

export const requestSummarySchema = z.object({
  ...placed,
  at: z.string(),
  method: z.string(),
  url: z.string(),
  /** `document`, `script`, `xhr`, `fetch`, `image`, `websocket` … */
  type: z.string(),
  state: z.enum(['pending', 'done', 'failed']),
  status: z.int().optional(),
  statusText: z.string().optional(),
  mimeType: z.string().optional(),
  fromCache: z.boolean(),
  /** Milliseconds from its start to its end. */
  ms: z.number().optional(),
  /** Bytes over the wire, headers included. */
  transferred: z.number().optional(),
  /** Bytes of the body as the page sees it. */
  bodySize: z.number().optional(),
  failure: z.string().optional(),
  /** The rule by which the egress proxy denied it (GU1). */
  blocked: z.string().optional(),
  /** A request for a page that became a download; its bytes are not counted here. */
  download: z.boolean().optional(),
  /** The id of the request that it was redirected to. */
  redirectedTo: z.int().optional(),
  /** The frame, of any process, or the worker that it is for; absent for the page's own. */
  from: childTargetSchema.optional(),
});
export type RequestSummary = z.infer<typeof requestSummarySchema>;

export const requestEntrySchema = requestSummarySchema.extend({
  requestHeaders: z.array(headerSchema),
  responseHeaders: z.array(headerSchema),
  /** Whether it carried a body. */
  sentBody: z.boolean(),
  protocol: z.string().optional(),
  remoteAddress: z.string().optional(),
  timing: timingSchema.optional(),
  initiator: z.string().optional(),
});
export type RequestEntry = z.infer<typeof requestEntrySchema>;

/** The fields of an entry that lists show. */
export function summaryOf(entry: RequestEntry): RequestSummary {
  const {
    requestHeaders: _sent,
    responseHeaders: _got,
    sentBody: _body,
    protocol: _protocol,
    remoteAddress: _address,
    timing: _timing,
    initiator: _initiator,
    ...summary
  } = entry;
  return summary;
}

export const bodySchema = z.object({
  id: z.int(),
  of: z.enum(['request', 'response']),
  mimeType: z.string(),
  body: z.string(),
  /** Whether `body` is Base64: true for anything that is not text. */
  base64: z.boolean(),
});
export type Body = z.infer<typeof bodySchema>;
