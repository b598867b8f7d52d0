import { EVENT_SHAPES, frame, targetInfo } from './events';
import { z } from 'zod';
import type { Command } from '../protocol';
import { address, amount, id, line, title, whole } from './parts';

const part = z.looseObject;

const frameTree: z.ZodType = z.lazy(() => part({ frame, childFrames: z.array(frameTree).max(5_000).optional() }));

const viewport = part({ clientWidth: amount, clientHeight: amount, pageX: amount, pageY: amount });

const node = part({ nodeId: whole, backendNodeId: whole });

/** The result of a script is page content; the caller that asked for it reads the rest. */
const ran = part({ result: part({ type: line }) });

/** Bounded schemas of the answers on which the server bases its state. A call whose answer has another shape fails. */
const ANSWER_SHAPES: Partial<Record<Command, z.ZodType>> = {
  'Browser.getVersion': part({ product: z.string().min(1).max(200) }),
  'Target.getTargets': part({ targetInfos: z.array(targetInfo).max(10_000) }),
  'Target.getTargetInfo': part({ targetInfo }),
  'Target.getBrowserContexts': part({
    browserContextIds: z.array(id).max(10_000),
    defaultBrowserContextId: id.optional(),
  }),
  'Target.createBrowserContext': part({ browserContextId: id }),
  'Target.createTarget': part({ targetId: id }),
  'Target.attachToTarget': part({ sessionId: id }),
  'Page.getFrameTree': part({ frameTree }),
  'Page.getNavigationHistory': part({
    currentIndex: whole,
    entries: z.array(part({ id: whole, url: address, title })).max(1_000),
  }),
  'Page.getLayoutMetrics': part({
    cssVisualViewport: viewport,
    cssContentSize: part({ width: amount, height: amount }),
  }),
  'Page.navigate': part({ frameId: id, loaderId: id.optional(), errorText: line.optional() }),
  'Page.createIsolatedWorld': part({ executionContextId: whole }),
  'Page.captureScreenshot': part({ data: z.string() }),
  'Page.printToPDF': part({ stream: id.optional() }),
  'IO.read': part({ data: z.string(), eof: z.boolean(), base64Encoded: z.boolean().optional() }),
  'DOM.describeNode': part({ node }),
  'Runtime.evaluate': ran,
  'Runtime.callFunctionOn': ran,
  'Network.getResponseBody': part({ body: z.string(), base64Encoded: z.boolean() }),
};

/** Stands for a message whose shape does not match its schema. */
export const MALFORMED = Symbol('malformed');

const events: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(EVENT_SHAPES));
const answers: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(ANSWER_SHAPES));

/** The parameters of an event, bounded; those of an event without a schema unchanged. */
export function readEvent(method: string, params: unknown): unknown {
  return read(events.get(method), params);
}

/** The answer to a command, bounded; that of a command without a schema unchanged. */
export function readAnswer(method: string, result: unknown): unknown {
  return read(answers.get(method), result);
}

function read(shape: z.ZodType | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return MALFORMED;
  if (!shape) return value;
  try {
    const parsed = shape.safeParse(value);
    return parsed.success ? parsed.data : MALFORMED;
  } catch {
    // The value is nested so deep that parsing it ran out of stack.
    return MALFORMED;
  }
}
