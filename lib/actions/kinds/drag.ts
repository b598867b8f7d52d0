import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printRef, type Head } from '@/lib/steps/codec';
import { describeTarget } from '../phrases';
import { point, type Fields } from '../rewrites';
import { envelopeFields, targetSchema, type TargetFields } from '../shared';
import { defineKind } from './kind';

export const drag = defineKind({
  schema: z.strictObject({
    kind: z.literal('drag'),
    ...envelopeFields,
    from: targetSchema,
    to: targetSchema,
    /** Moves between the press and the release. */
    steps: z.int().min(1).max(100).optional(),
    force: z.boolean().optional(),
  }),
  about: 'Drag from one element or point to another, by pointer events or as drag and drop.',
  timeoutMs: 15_000,
  access: 'write',
  example: { kind: 'drag', from: { ref: 'e12' }, to: { ref: 'e34' } },
  verbs: {
    drag: '{way, select, doing {{self, select, yes {are} other {is}} dragging} failed {could not drag} other {dragged}} {target}',
  },
  element: ({ from }) => from,
  sentence: ({ from, to }, { on, element }) =>
    `drag ${element === undefined ? describeTarget(from) : on} to ${describeTarget(to)}`,
  steps: { verbs: { drag: { usage: 'drag [12] [34]', read } }, print },
  older: { drag: withRefs, dragCoords: withPoints },
});

function read(args: ArgReader): void {
  args.targetIn('from', 'the number of what is dragged');
  args.targetIn('to', 'the number of where it goes');
}

/**
 * Prints ends that are refs as arguments. If only `to` is a ref, prints both by name, because the first argument is
 * read as `from`.
 */
function print({ from, to }: { readonly from: TargetFields; readonly to: TargetFields }): Head {
  if (from.ref === undefined) return { verb: 'drag', args: [], said: [] };
  if (to.ref === undefined) return { verb: 'drag', args: printRef(from.ref), said: ['from'] };
  return { verb: 'drag', args: [...printRef(from.ref), ...printRef(to.ref)], said: ['from', 'to'] };
}

function withRefs({ startRef, endRef, ...rest }: Fields): Fields {
  return {
    ...(startRef === undefined ? {} : { from: { ref: startRef } }),
    ...(endRef === undefined ? {} : { to: { ref: endRef } }),
    ...rest,
  };
}

function withPoints(fields: Fields): Fields {
  const { from, to, ...rest } = point('endX', 'endY', 'to')(point('startX', 'startY', 'from')(fields));
  return { ...rest, kind: 'drag', from: { at: from }, to: { at: to } };
}
