import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printOnElement, type Head } from '@/lib/steps/codec';
import type { Fields } from '../rewrites';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

const pixels = z.number().min(-100_000).max(100_000);

const schema = z
  .strictObject({
    kind: z.literal('scroll'),
    ...targetFields,
    ...envelopeFields,
    by: z.strictObject({ dx: pixels.optional(), dy: pixels.optional() }).optional(),
    pages: z.number().min(-100).max(100).optional(),
    to: z.enum(['top', 'bottom']).optional(),
  })
  .check(checkTarget('optional'))
  .refine((action) => [action.by, action.pages, action.to].filter((part) => part !== undefined).length === 1, {
    path: ['by'],
    message: 'or "pages" or "to" must be given, and only one of them',
  });

export const scroll = defineKind({
  schema,
  about: 'Scroll by pixels, by pages, or to an end.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'scroll', pages: 1 },
  verbs: {
    scroll:
      '{way, select, doing {{self, select, yes {are} other {is}} scrolling} failed {could not scroll} other {scrolled}}',
  },
  sentence: ({ to }) => `scroll ${to === undefined ? 'the page' : `to the ${to}`}`,
  steps: { verbs: { scroll: { usage: 'scroll [up|down|top|bottom]', read } }, print },
  older: {
    scroll_down: ({ amount, ...rest }) => ({ ...rest, kind: 'scroll', ...scrolled(amount, 1) }),
    scroll_up: ({ amount, ...rest }) => ({ ...rest, kind: 'scroll', ...scrolled(amount, -1) }),
  },
});

/** Pixels where an amount is given, else a page. */
function scrolled(amount: unknown, sign: 1 | -1): Fields {
  return typeof amount === 'number' ? { by: { dy: amount * sign } } : { pages: sign };
}

const DIRECTIONS: ReadonlyMap<string, { readonly field: string; readonly value: unknown }> = new Map([
  ['up', { field: 'pages', value: -1 }],
  ['down', { field: 'pages', value: 1 }],
  ['top', { field: 'to', value: 'top' }],
  ['bottom', { field: 'to', value: 'bottom' }],
]);

/** `scroll [down]`, `scroll [direction=down]`, `scroll [12] [down]`. */
function read(args: ArgReader): void {
  const byName = args.takeNamed('direction');
  const amountIsNamed = byName !== undefined || args.isNamed('pages', 'by', 'to');
  if (args.left > (amountIsNamed ? 0 : 1)) args.target();
  if (byName !== undefined) setDirection(args, String(byName.value), byName.at);
  else if (!amountIsNamed) {
    const { text, at } = args.next('the direction');
    setDirection(args, text, at);
  }
}

function setDirection(args: ArgReader, text: string, at: number): void {
  const direction = DIRECTIONS.get(
    text
      .trim()
      .toLowerCase()
      .replace(/^direction\s*=\s*/, ''),
  );
  if (direction === undefined) throw args.mistake(at, 'the direction is up, down, top or bottom');
  args.set(direction.field, direction.value, at);
}

function print(action: z.output<typeof schema>): Head {
  const direction = action.to ?? (action.pages === 1 ? 'down' : action.pages === -1 ? 'up' : undefined);
  if (direction === undefined) return printOnElement('scroll', action);
  return printOnElement('scroll', action, [`[${direction}]`], [action.to === undefined ? 'pages' : 'to']);
}
