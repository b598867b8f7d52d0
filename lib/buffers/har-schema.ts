import { z } from 'zod';
import { childTargetSchema } from './child-target';

/**
 * HAR 1.2 as its specification has it (W3C Web Performance, "HTTP Archive format", and
 * softwareishard.com/blog/har-12-spec), as far as we write it. Strict, so that we add no fields except those that begin
 * with `_`, which the specification allows.
 */

const dateTime = z.iso.datetime({ offset: true });
const pair = z.strictObject({ name: z.string(), value: z.string() });
/** -1: does not apply. */
const phase = z.number().min(-1);
const size = z.int().min(-1);

const cookie = z.strictObject({ name: z.string(), value: z.string() });

const request = z.strictObject({
  method: z.string().min(1),
  url: z.string().min(1),
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(pair),
  queryString: z.array(pair),
  headersSize: size,
  bodySize: size,
});

const response = z.strictObject({
  status: z.int().min(0).max(999),
  statusText: z.string(),
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(pair),
  content: z.strictObject({ size: z.int().min(0), mimeType: z.string() }),
  redirectURL: z.string(),
  headersSize: size,
  bodySize: size,
});

const timings = z.strictObject({
  blocked: phase,
  dns: phase,
  connect: phase,
  ssl: phase,
  send: z.number().min(0),
  wait: z.number().min(0),
  receive: z.number().min(0),
});

const entry = z.strictObject({
  pageref: z.string(),
  startedDateTime: dateTime,
  /** Milliseconds: the sum of the timings that apply, `ssl` being a part of `connect`. */
  time: z.number().min(0),
  request,
  response,
  cache: z.strictObject({}),
  timings,
  serverIPAddress: z.string().optional(),
  _resourceType: z.string(),
  _error: z.string().optional(),
  _fromCache: z.boolean().optional(),
  /** The frame or worker it is for, when that is not the page itself. */
  _from: childTargetSchema.optional(),
});

const page = z.strictObject({
  startedDateTime: dateTime,
  id: z.string(),
  title: z.string(),
  pageTimings: z.strictObject({}),
});

export const harSchema = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    browser: z.strictObject({ name: z.string(), version: z.string() }),
    pages: z.array(page),
    entries: z.array(entry),
    comment: z.string(),
  }),
});
export type Har = z.infer<typeof harSchema>;
export type HarEntry = Har['log']['entries'][number];
