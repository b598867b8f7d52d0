import { z } from 'zod';
import { address, amount, attributes, headers, id, idOrNone, line, title, whole, words } from './parts';

/** Protocol objects that several events and answers contain, with the fields that the server reads. */

export const targetInfo = z.object({
  targetId: id,
  type: words(40),
  title,
  url: address,
  attached: z.boolean(),
  openerId: id.optional(),
  parentFrameId: id.optional(),
  browserContextId: id.optional(),
});
export type TargetInfo = z.output<typeof targetInfo>;

export const frame = z.object({
  id,
  parentId: id.optional(),
  loaderId: idOrNone,
  url: address,
  urlFragment: address.optional(),
  unreachableUrl: address.optional(),
  name: line.optional(),
});
export type Frame = z.output<typeof frame>;

export interface FrameTree {
  readonly frame: Frame;
  readonly childFrames?: readonly FrameTree[] | undefined;
}
export const frameTree: z.ZodType<FrameTree> = z.lazy(() =>
  z.object({ frame, childFrames: z.array(frameTree).max(5_000).optional() }),
);

/** A DOM node without its children. */
export const node = z.object({
  backendNodeId: whole,
  localName: line,
  frameId: id.optional(),
  attributes: attributes.optional(),
});
export type DomNode = z.output<typeof node>;

const callFrame = z.object({ functionName: line, url: address, lineNumber: whole, columnNumber: whole });
export type CallFrame = z.output<typeof callFrame>;
/** Async parent stacks are not read. */
export const stack = z.object({ callFrames: z.array(callFrame) });

const property = z.object({ name: z.string(), type: z.string(), value: z.string().optional() });
export type PropertyPreview = z.output<typeof property>;
export interface ObjectPreview {
  readonly type: string;
  readonly subtype?: string | undefined;
  readonly description?: string | undefined;
  readonly overflow: boolean;
  readonly properties: readonly PropertyPreview[];
  readonly entries?: readonly EntryPreview[] | undefined;
}
export interface EntryPreview {
  readonly key?: ObjectPreview | undefined;
  readonly value: ObjectPreview;
}
const preview: z.ZodType<ObjectPreview> = z.lazy(() =>
  z.object({
    type: z.string(),
    subtype: z.string().optional(),
    description: z.string().optional(),
    overflow: z.boolean(),
    properties: z.array(property),
    entries: z.array(z.object({ key: preview.optional(), value: preview })).optional(),
  }),
);

/** A value of the page, or the result of a script. Its reader parses `value` and `deepSerializedValue`. */
export const remoteObject = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  description: z.string().optional(),
  className: z.string().optional(),
  unserializableValue: z.string().optional(),
  objectId: id.optional(),
  value: z.unknown().optional(),
  deepSerializedValue: z.unknown().optional(),
  preview: preview.optional(),
});
export type RemoteObject = z.output<typeof remoteObject>;

export const exceptionDetails = z.object({
  text: z.string(),
  lineNumber: whole,
  columnNumber: whole,
  url: address.optional(),
  stackTrace: stack.optional(),
  exception: remoteObject.optional(),
});
export type ExceptionDetails = z.output<typeof exceptionDetails>;

export const initiator = z.object({ type: line, url: address.optional(), stack: stack.optional() });
export type Initiator = z.output<typeof initiator>;

const timing = z.object({
  requestTime: amount,
  dnsStart: amount,
  dnsEnd: amount,
  connectStart: amount,
  connectEnd: amount,
  sslStart: amount,
  sslEnd: amount,
  sendStart: amount,
  sendEnd: amount,
  receiveHeadersEnd: amount,
});
export type ResourceTiming = z.output<typeof timing>;

export const response = z.object({
  url: address,
  status: z.int().min(0).max(999),
  statusText: line,
  headers,
  mimeType: line,
  protocol: line.optional(),
  remoteIPAddress: words(100).optional(),
  remotePort: whole.optional(),
  fromDiskCache: z.boolean().optional(),
  fromServiceWorker: z.boolean().optional(),
  fromPrefetchCache: z.boolean().optional(),
  encodedDataLength: amount,
  timing: timing.optional(),
});
export type Response = z.output<typeof response>;

/** Names and values are not cut, because saved cookies are set in another Chrome. */
export const cookie = z.object({
  name: z.string(),
  value: z.string(),
  domain: line,
  path: z.string(),
  /** Seconds since 1970; -1 for a cookie of the session. */
  expires: amount,
  size: whole,
  httpOnly: z.boolean(),
  secure: z.boolean(),
  session: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
  // Experimental: Chromes differ in these, and one such cookie must not refuse all others.
  priority: z.enum(['Low', 'Medium', 'High']).optional().catch(undefined),
  sourceScheme: z.enum(['Unset', 'NonSecure', 'Secure']).optional().catch(undefined),
  sourcePort: whole.optional().catch(undefined),
  partitionKey: z.object({ topLevelSite: z.string(), hasCrossSiteAncestor: z.boolean() }).optional().catch(undefined),
});
export type Cookie = z.output<typeof cookie>;
