import { z } from 'zod';
import type { EventName } from '../protocol';
import { address, amount, headers, id, idOrNone, line, title, whole, words } from './parts';

const part = z.looseObject;

export const targetInfo = part({
  targetId: id,
  type: words(40),
  title,
  url: address,
  attached: z.boolean(),
  openerId: id.optional(),
  parentFrameId: id.optional(),
  browserContextId: id.optional(),
});

export const frame = part({
  id,
  parentId: id.optional(),
  loaderId: idOrNone,
  url: address,
  urlFragment: address.optional(),
  unreachableUrl: address.optional(),
  name: line.optional(),
});

const download = part({
  guid: z.string().regex(/^[\w-]{1,100}$/u),
  url: address,
  suggestedFilename: line,
  frameId: id,
});
const downloadProgress = part({
  guid: z.string().regex(/^[\w-]{1,100}$/u),
  totalBytes: amount,
  receivedBytes: amount,
  state: z.enum(['inProgress', 'completed', 'canceled']),
  filePath: words(4_096).optional(),
});

const callFrame = part({ functionName: line, url: address, lineNumber: whole, columnNumber: whole });
/** Async parent stacks are not read. */
const stack = part({ callFrames: z.array(callFrame) });
/** A value of the page; its parts are page content. */
const remote = part({
  type: z.string(),
  subtype: z.string().optional(),
  description: z.string().optional(),
  className: z.string().optional(),
  unserializableValue: z.string().optional(),
  objectId: z.string().optional(),
  preview: z.lazy(() => preview).optional(),
});
const property = part({ name: z.string(), type: z.string(), value: z.string().optional() });
const preview: z.ZodType = part({
  type: z.string(),
  subtype: z.string().optional(),
  description: z.string().optional(),
  overflow: z.boolean(),
  properties: z.array(property),
  entries: z.array(z.lazy(() => part({ key: preview.optional(), value: preview }))).optional(),
});

const initiator = part({ type: line, url: address.optional(), stack: stack.optional() });
const timing = part({
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
const response = part({
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
/** Seconds since 1970, in the range of a date. */
const wallTime = z.number().min(0).max(8e12);
/** Milliseconds since 1970, in the same range. */
const wallMs = z.number().min(0).max(8e15);
const timestamp = amount;

/**
 * Bounded schemas of the events that enter the server's state: an attached endpoint, or a page with a compromised
 * process, may send anything. An event in another shape is dropped and counted; its connection goes on.
 */
export const EVENT_SHAPES: Partial<Record<EventName, z.ZodType>> = {
  'Target.targetCreated': part({ targetInfo }),
  'Target.targetInfoChanged': part({ targetInfo }),
  'Target.targetDestroyed': part({ targetId: id }),
  'Target.targetCrashed': part({ targetId: id }),
  'Target.attachedToTarget': part({ sessionId: id, targetInfo, waitingForDebugger: z.boolean() }),
  'Target.detachedFromTarget': part({ sessionId: id }),
  'Browser.downloadWillBegin': download,
  'Browser.downloadProgress': downloadProgress,
  'Page.downloadWillBegin': download,
  'Page.downloadProgress': downloadProgress,
  'Page.fileChooserOpened': part({
    frameId: id,
    mode: z.enum(['selectSingle', 'selectMultiple']),
    backendNodeId: whole.optional(),
  }),
  'Page.frameAttached': part({ frameId: id, parentFrameId: id }),
  'Page.frameDetached': part({ frameId: id, reason: line.optional() }),
  'Page.frameNavigated': part({ frame, type: line }),
  'Page.frameRequestedNavigation': part({ frameId: id, reason: line, url: address, disposition: line }),
  'Page.frameStartedLoading': part({ frameId: id }),
  'Page.frameStoppedLoading': part({ frameId: id }),
  'Page.frameStartedNavigating': part({ frameId: id, url: address, loaderId: idOrNone, navigationType: line }),
  'Page.navigatedWithinDocument': part({ frameId: id, url: address }),
  'Page.lifecycleEvent': part({ frameId: id, loaderId: idOrNone, name: line }),
  'Page.javascriptDialogOpening': part({
    url: address,
    frameId: id.optional(),
    message: words(10_000),
    type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
    defaultPrompt: words(10_000).optional(),
  }),
  'Page.javascriptDialogClosed': part({ result: z.boolean() }),
  'Page.screencastFrame': part({
    data: z.string(),
    sessionId: whole,
    metadata: part({
      offsetTop: amount,
      pageScaleFactor: amount,
      deviceWidth: amount,
      deviceHeight: amount,
      scrollOffsetX: amount,
      scrollOffsetY: amount,
    }),
  }),
  'Runtime.consoleAPICalled': part({
    type: line,
    args: z.array(remote),
    timestamp: wallMs,
    stackTrace: stack.optional(),
  }),
  'Runtime.exceptionThrown': part({
    timestamp: wallMs,
    exceptionDetails: part({
      text: z.string(),
      lineNumber: whole,
      columnNumber: whole,
      url: address.optional(),
      stackTrace: stack.optional(),
      exception: remote.optional(),
    }),
  }),
  'Log.entryAdded': part({
    entry: part({
      source: line,
      level: z.enum(['verbose', 'info', 'warning', 'error']),
      text: z.string(),
      timestamp: wallMs,
      url: address.optional(),
      lineNumber: whole.optional(),
      workerId: z.string().optional(),
    }),
  }),
  'Network.requestWillBeSent': part({
    requestId: id,
    loaderId: idOrNone,
    documentURL: address,
    timestamp,
    wallTime,
    initiator,
    redirectResponse: response.optional(),
    type: line.optional(),
    frameId: id.optional(),
    request: part({
      url: address,
      urlFragment: address.optional(),
      method: line,
      headers,
      hasPostData: z.boolean().optional(),
    }),
  }),
  'Network.requestServedFromCache': part({ requestId: id }),
  'Network.responseReceived': part({ requestId: id, timestamp, type: line, response }),
  'Network.dataReceived': part({ requestId: id, dataLength: amount }),
  'Network.loadingFinished': part({ requestId: id, timestamp, encodedDataLength: amount }),
  'Network.loadingFailed': part({
    requestId: id,
    timestamp,
    errorText: line,
    canceled: z.boolean().optional(),
    blockedReason: line.optional(),
    corsErrorStatus: part({ corsError: line }).optional(),
  }),
  'Network.webSocketCreated': part({ requestId: id, url: address, initiator: initiator.optional() }),
  'Network.webSocketHandshakeResponseReceived': part({
    requestId: id,
    response: part({ status: z.int().min(0).max(999), statusText: line, headers }),
  }),
  'Network.webSocketFrameError': part({ requestId: id, errorMessage: line }),
  'Network.webSocketClosed': part({ requestId: id, timestamp }),
};
