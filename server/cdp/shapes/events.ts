import { z } from 'zod';
import type { EventName } from '../protocol';
import { exceptionDetails, frame, initiator, remoteObject, response, stack, targetInfo } from './objects';
import { address, amount, headers, id, idOrNone, line, whole, words } from './parts';

const download = z.object({
  guid: z.string().regex(/^[\w-]{1,100}$/u),
  url: address,
  suggestedFilename: line,
  frameId: id,
});
const downloadProgress = z.object({
  guid: z.string().regex(/^[\w-]{1,100}$/u),
  totalBytes: amount,
  receivedBytes: amount,
  state: z.enum(['inProgress', 'completed', 'canceled']),
  filePath: words(4_096).optional(),
});

/** Seconds since 1970, in the range of a date. */
const wallTime = z.number().min(0).max(8e12);
/** Milliseconds since 1970, in the same range. */
const wallMs = z.number().min(0).max(8e15);
const timestamp = amount;

/**
 * Bounded schemas of the events whose content is read: an attached endpoint, or a page with a compromised process, may
 * send anything. An event in another shape is dropped and counted; its connection goes on.
 */
export const EVENT_SHAPES = {
  'Target.targetCreated': z.object({ targetInfo }),
  'Target.targetInfoChanged': z.object({ targetInfo }),
  'Target.targetDestroyed': z.object({ targetId: id }),
  'Target.targetCrashed': z.object({ targetId: id }),
  'Target.attachedToTarget': z.object({ sessionId: id, targetInfo, waitingForDebugger: z.boolean() }),
  'Target.detachedFromTarget': z.object({ sessionId: id }),
  'Browser.downloadWillBegin': download,
  'Browser.downloadProgress': downloadProgress,
  'Page.downloadWillBegin': download,
  'Page.downloadProgress': downloadProgress,
  'Page.fileChooserOpened': z.object({
    frameId: id,
    mode: z.enum(['selectSingle', 'selectMultiple']),
    backendNodeId: whole.optional(),
  }),
  'Page.frameAttached': z.object({ frameId: id, parentFrameId: id }),
  'Page.frameDetached': z.object({ frameId: id, reason: z.enum(['remove', 'swap']) }),
  'Page.frameNavigated': z.object({ frame, type: line }),
  'Page.frameRequestedNavigation': z.object({ frameId: id, reason: line, url: address, disposition: line }),
  'Page.frameStartedLoading': z.object({ frameId: id }),
  'Page.frameStoppedLoading': z.object({ frameId: id }),
  'Page.frameStartedNavigating': z.object({ frameId: id, url: address, loaderId: idOrNone, navigationType: line }),
  'Page.navigatedWithinDocument': z.object({ frameId: id, url: address }),
  'Page.lifecycleEvent': z.object({ frameId: id, loaderId: idOrNone, name: line }),
  'Page.javascriptDialogOpening': z.object({
    url: address,
    frameId: id.optional(),
    message: words(10_000),
    type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
    defaultPrompt: words(10_000).optional(),
  }),
  'Page.javascriptDialogClosed': z.object({ result: z.boolean() }),
  'Page.screencastFrame': z.object({
    data: z.string(),
    sessionId: whole,
    metadata: z.object({
      offsetTop: amount,
      pageScaleFactor: amount,
      deviceWidth: amount,
      deviceHeight: amount,
      scrollOffsetX: amount,
      scrollOffsetY: amount,
      /** Seconds since 1970. */
      timestamp: wallTime.optional(),
    }),
  }),
  'Runtime.consoleAPICalled': z.object({
    type: line,
    args: z.array(remoteObject),
    timestamp: wallMs,
    stackTrace: stack.optional(),
  }),
  'Runtime.exceptionThrown': z.object({ timestamp: wallMs, exceptionDetails }),
  'Log.entryAdded': z.object({
    entry: z.object({
      source: line,
      level: z.enum(['verbose', 'info', 'warning', 'error']),
      text: z.string(),
      timestamp: wallMs,
      url: address.optional(),
      lineNumber: whole.optional(),
      workerId: z.string().optional(),
    }),
  }),
  'Network.requestWillBeSent': z.object({
    requestId: id,
    loaderId: idOrNone,
    documentURL: address,
    timestamp,
    wallTime,
    initiator,
    redirectResponse: response.optional(),
    type: line.optional(),
    frameId: id.optional(),
    request: z.object({
      url: address,
      urlFragment: address.optional(),
      method: line,
      headers,
      hasPostData: z.boolean().optional(),
    }),
  }),
  'Network.requestServedFromCache': z.object({ requestId: id }),
  'Network.responseReceived': z.object({ requestId: id, timestamp, type: line, response }),
  'Network.dataReceived': z.object({ requestId: id, dataLength: amount }),
  'Network.loadingFinished': z.object({ requestId: id, timestamp, encodedDataLength: amount }),
  'Network.loadingFailed': z.object({
    requestId: id,
    timestamp,
    errorText: line,
    canceled: z.boolean().optional(),
    blockedReason: line.optional(),
    corsErrorStatus: z.object({ corsError: line }).optional(),
  }),
  'Network.webSocketCreated': z.object({ requestId: id, url: address, initiator: initiator.optional() }),
  'Network.webSocketHandshakeResponseReceived': z.object({
    requestId: id,
    response: z.object({ status: z.int().min(0).max(999), statusText: line, headers }),
  }),
  'Network.webSocketFrameError': z.object({ requestId: id, errorMessage: line }),
  'Network.webSocketClosed': z.object({ requestId: id, timestamp }),
  'Fetch.requestPaused': z.object({ requestId: id }),
  'Fetch.authRequired': z.object({
    requestId: id,
    authChallenge: z.object({ source: z.enum(['Server', 'Proxy']).optional(), origin: address }),
  }),
  'Debugger.scriptParsed': z.object({ scriptId: id, url: address }),
  'Debugger.paused': z.object({
    callFrames: z.array(z.object({ location: z.object({ scriptId: id }) })),
    hitBreakpoints: z.array(line).optional(),
  }),
  'Tracing.bufferUsage': z.object({ percentFull: amount.optional() }),
  'Tracing.tracingComplete': z.object({ dataLossOccurred: z.boolean(), stream: id.optional() }),
  /** It is given back to Chrome as it came. */
  'Input.dragIntercepted': z.object({
    data: z.object({
      items: z.array(
        z.object({ mimeType: line, data: z.string(), title: z.string().optional(), baseURL: z.string().optional() }),
      ),
      files: z.array(z.string()).optional(),
      dragOperationsMask: whole,
    }),
  }),
} satisfies Partial<Record<EventName, z.ZodType>>;
