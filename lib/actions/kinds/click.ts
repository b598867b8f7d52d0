import { z } from 'zod';
import { printOnElement, readTarget } from '@/lib/steps/codec';
import { as, point } from '../rewrites';
import { checkTarget, delaySchema, envelopeFields, modifierSchema, targetFields } from '../shared';
import { defineKind } from './kind';

const schema = z
  .strictObject({
    kind: z.literal('click'),
    ...targetFields,
    ...envelopeFields,
    count: z.int().min(1).max(3).optional(),
    doubleClick: z.boolean().optional(),
    button: z.enum(['left', 'right', 'middle']).optional(),
    modifiers: z.array(modifierSchema).max(5).optional(),
    holdMs: delaySchema.optional(),
    delayMs: delaySchema.optional(),
    force: z.boolean().optional(),
  })
  .check(checkTarget('required'));

export const click = defineKind({
  schema,
  about: 'Click an element or a point, with button, count and modifiers.',
  timeoutMs: 15_000,
  access: 'write',
  example: { kind: 'click', ref: 'e12' },
  verbs: {
    click:
      '{way, select, doing {{self, select, yes {are} other {is}} clicking} failed {could not click} other {clicked}} {target}',
    doubleClick:
      '{way, select, doing {{self, select, yes {are} other {is}} double-clicking} failed {could not double-click} other {double-clicked}} {target}',
  },
  verb: (action) => (isDouble(action) ? 'doubleClick' : 'click'),
  sentence: (action, { on }) => `${isDouble(action) ? 'double-click' : 'click'} ${on}`,
  steps: {
    verbs: { click: { usage: 'click [12]', read: readTarget } },
    print: (action) => printOnElement('click', action),
  },
  older: {
    clickCoords: (fields, again) => as('click')(point('x', 'y', 'at')(fields), again),
    click_element: as('click'),
  },
});

function isDouble({ count, doubleClick }: z.output<typeof schema>): boolean {
  return count === 2 || doubleClick === true;
}
