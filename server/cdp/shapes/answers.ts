import { z } from 'zod';
import type { AxNodeLike } from '@/lib/snapshot/ax-node';
import type { DomSnapshotLike } from '@/lib/snapshot/dom-snapshot';
import type { Command } from '../protocol';
import { cookie, exceptionDetails, frameTree, node, remoteObject, targetInfo } from './objects';
import { areAxNodes, isDomSnapshot } from './page-content';
import { address, amount, id, line, title, whole } from './parts';

const viewport = z.object({ clientWidth: amount, clientHeight: amount, pageX: amount, pageY: amount });
const scriptResult = z.object({ result: remoteObject, exceptionDetails: exceptionDetails.optional() });
const cookies = z.object({ cookies: z.array(cookie) });
const axNodes = z.object({ nodes: z.custom<AxNodeLike[]>(areAxNodes) });
const quad = z.array(amount).length(8);
const metric = z.object({ name: line, value: z.number() });

/** Bounded schemas of the answers whose content is read. A call that is answered in another shape fails. */
export const ANSWER_SHAPES = {
  'Accessibility.getFullAXTree': axNodes,
  'Accessibility.getPartialAXTree': axNodes,
  'Accessibility.queryAXTree': axNodes,
  'Browser.getVersion': z.object({ product: z.string().min(1).max(200), userAgent: z.string().max(2_000).catch('') }),
  'DOM.describeNode': z.object({ node }),
  'DOM.getBoxModel': z.object({ model: z.object({ content: quad, width: amount, height: amount }) }),
  'DOM.getContentQuads': z.object({ quads: z.array(quad) }),
  'DOM.getFrameOwner': z.object({ backendNodeId: whole }),
  'DOM.performSearch': z.object({ searchId: line, resultCount: whole }),
  'DOM.resolveNode': z.object({ object: remoteObject }),
  'DOMDebugger.getEventListeners': z.object({
    listeners: z.array(z.object({ type: z.string(), backendNodeId: whole.optional() })),
  }),
  'DOMSnapshot.captureSnapshot': z.custom<DomSnapshotLike>(isDomSnapshot),
  'DOMStorage.getDOMStorageItems': z.object({ entries: z.array(z.array(z.string())) }),
  'Debugger.getPossibleBreakpoints': z.object({
    locations: z.array(z.object({ lineNumber: whole, columnNumber: whole.optional() })),
  }),
  'Debugger.setBreakpoint': z.object({ breakpointId: line }),
  'IO.read': z.object({ data: z.string(), eof: z.boolean(), base64Encoded: z.boolean().optional() }),
  'Memory.getDOMCounters': z.object({ nodes: whole, jsEventListeners: whole }),
  'Network.getAllCookies': cookies,
  'Network.getCookies': cookies,
  /** An older Chrome gives `postData` alone, as text. */
  'Network.getRequestPostData': z.object({ postData: z.string(), base64Encoded: z.boolean().default(false) }),
  'Network.getResponseBody': z.object({ body: z.string(), base64Encoded: z.boolean() }),
  'Page.captureScreenshot': z.object({ data: z.string() }),
  'Page.createIsolatedWorld': z.object({ executionContextId: whole }),
  'Page.getFrameTree': z.object({ frameTree }),
  'Page.getLayoutMetrics': z.object({
    cssVisualViewport: viewport,
    cssContentSize: z.object({ width: amount, height: amount }),
  }),
  'Page.getNavigationHistory': z.object({
    currentIndex: whole,
    entries: z.array(z.object({ id: whole, url: address, title })).max(1_000),
  }),
  'Page.navigate': z.object({
    frameId: id,
    loaderId: id.optional(),
    errorText: line.optional(),
    isDownload: z.boolean().optional(),
  }),
  'Page.printToPDF': z.object({ stream: id.optional() }),
  'Performance.getMetrics': z.object({ metrics: z.array(metric).max(1_000) }),
  'Runtime.callFunctionOn': scriptResult,
  'Runtime.evaluate': scriptResult,
  'Runtime.getIsolateId': z.object({ id: line }),
  'Runtime.getProperties': z.object({
    result: z.array(z.object({ name: z.string(), value: remoteObject.optional() })),
  }),
  'Storage.getCookies': cookies,
  'Storage.getStorageKeyForFrame': z.object({ storageKey: address }),
  'SystemInfo.getProcessInfo': z.object({
    processInfo: z.array(z.object({ type: line, id: whole, cpuTime: amount })).max(10_000),
  }),
  'Target.attachToTarget': z.object({ sessionId: id }),
  'Target.createBrowserContext': z.object({ browserContextId: id }),
  'Target.createTarget': z.object({ targetId: id }),
  'Target.getBrowserContexts': z.object({
    browserContextIds: z.array(id).max(10_000),
    defaultBrowserContextId: id.optional(),
  }),
  'Target.getTargetInfo': z.object({ targetInfo }),
  'Target.getTargets': z.object({ targetInfos: z.array(targetInfo).max(10_000) }),
} satisfies Partial<Record<Command, z.ZodType>>;
