import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import type { DomDocument, DomNode } from '@/lib/snapshot/dom-document';
import { scriptJson, scriptResult } from '@/server/cdp/script-result';
import type { CdpSession } from '@/server/cdp/session';
import type { CheckArgs } from './page/check';
import { LOOKS } from './page/parts';
import { checkSource } from './page/watch-source';

const rowSchema = z.object({
  k: z.int(),
  p: z.int(),
  t: z.string(),
  f: z.int(),
  a: z.record(z.string(), z.string()),
  b: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  e: z.int().optional(),
});
const partSchema = z.object({
  deep: z.boolean(),
  up: z.array(z.int()),
  pointed: z.boolean(),
  editable: z.boolean(),
  hidden: z.boolean(),
  rows: z.array(rowSchema),
  controls: z.array(rowSchema),
});
const foundSchema = z.object({
  compared: z.boolean(),
  tidied: z.boolean(),
  rooted: z.boolean(),
  parts: z.array(partSchema),
  gone: z.array(z.int()),
  unasked: z.int(),
  covered: z.array(z.int()).optional(),
  here: z.array(z.int()),
  width: z.number(),
  height: z.number(),
});
const checkedSchema = z.union([z.object({ lost: z.string(), outdated: z.boolean() }), foundSchema]);
const elementSchema = z.object({ value: z.object({ backendNodeId: z.int() }) });
const answerSchema = z.object({ value: z.array(z.unknown()) });
const textSchema = z.object({ value: z.string() });

type Row = z.infer<typeof rowSchema>;
export type ChangedPart = z.infer<typeof partSchema>;

/** The changes that a document's watch reports. */
export type Changes =
  | {
      readonly lost: string;
      /** What Chrome kept of accessibility is not to be trusted. */ readonly outdated?: boolean;
    }
  | {
      /** Whether all was looked at for how it looks. */ readonly compared: boolean;
      /** Whether listeners may have gone uncounted. */ readonly tidied: boolean;
      /** There are shadow roots, or may be. */ readonly rooted: boolean;
      readonly parts: readonly ChangedPart[];
      readonly gone: readonly number[];
      /** Custom elements that were not looked at. */ readonly unasked: number;
      /** What something else lies over; undefined when that was not asked. */ readonly covered?:
        | readonly number[]
        | undefined;
      readonly here: readonly number[];
      readonly width: number;
      readonly height: number;
      /** Of elements that were not known before. */ readonly newIds: readonly number[];
    };

/** Asks the watch of a document what has changed. CDP: `Runtime.evaluate {serializationOptions}`. */
export async function readChanges(
  budget: Budget,
  session: CdpSession,
  contextId: number,
  args: CheckArgs,
): Promise<Changes> {
  const { result, exceptionDetails } = await budget.race(
    session.send('Runtime.evaluate', {
      expression: checkSource(args),
      contextId,
      serializationOptions: {
        serialization: 'deep',
        maxDepth: 1,
        additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
      },
      objectGroup: 'wheelhouse-watch',
    }),
  );
  void session.sendMayFail('Runtime.releaseObjectGroup', { objectGroup: 'wheelhouse-watch' });
  if (exceptionDetails) return { lost: 'the page could not be watched' };
  const [text, ...elements] = scriptResult(answerSchema, result.deepSerializedValue).value;
  if (text === undefined) return { lost: 'nobody watched this document' };
  const checked = scriptJson(checkedSchema, scriptResult(textSchema, text).value);
  if ('lost' in checked) return checked;
  return { ...checked, newIds: elements.map((element) => scriptResult(elementSchema, element).value.backendNodeId) };
}

/** What the server knows of elements beyond what the page reports. */
export interface KnownElements {
  idOf(row: Row): number | undefined;
  /** Whether the element had a click listener when the page was read whole. */
  listens(id: number | undefined): boolean;
}

/**
 * A changed part in the form of the DOM pass. The first node stands for its ancestors, and carries only what is
 * inherited from them.
 */
export function partDocument(
  frameId: string,
  part: ChangedPart,
  size: { readonly width: number; readonly height: number },
  known: KnownElements,
): DomDocument {
  const around: Row = {
    k: -1,
    p: -1,
    t: 'div',
    f: LOOKS.visible + (part.pointed ? LOOKS.pointer : 0),
    a: part.editable ? { contenteditable: '' } : {},
  };
  const nodes = [
    domNode(around, -1, undefined, false),
    ...part.rows.map((row) => domNode(row, row.p + 1, known.idOf(row), known.listens(known.idOf(row)))),
    ...part.controls.map((row) => domNode(row, row.p + 1, undefined, false)),
  ];
  return { frameId, nodes, viewport: { x: 0, y: 0, width: size.width, height: size.height } };
}

function domNode(row: Row, parent: number, backendNodeId: number | undefined, listened: boolean): DomNode {
  const has = (look: number): boolean => (row.f & look) !== 0;
  const [x, y, width, height] = row.b ?? [];
  const box =
    x === undefined || y === undefined || width === undefined || height === undefined
      ? undefined
      : { x, y, width, height };
  return {
    parent,
    tag: row.t,
    text: '',
    attributes: new Map(Object.entries(row.a)),
    backendNodeId,
    value: undefined,
    checked: has(LOOKS.checked),
    selected: false,
    listens: !has(LOOKS.deaf) && (listened || has(LOOKS.listens)),
    pointer: has(LOOKS.pointer),
    dots: has(LOOKS.dots),
    inline: has(LOOKS.inline),
    visible: has(LOOKS.visible),
    internal: false,
    box,
    contentDocument: undefined,
    labelText: undefined,
  };
}
