import { z } from 'zod';
import { checkTarget, envelopeFields, targetFields, urlSchema } from '../shared';

/** Where a tab goes, how large it is, and the other tabs. */

export const navigate = z.strictObject({
  kind: z.literal('navigate'),
  ...envelopeFields,
  url: urlSchema,
  waitUntil: z.enum(['commit', 'domcontentloaded', 'load', 'networkidle']).optional(),
  newTab: z.boolean().optional(),
});

export const history = z.strictObject({
  kind: z.literal('history'),
  ...envelopeFields,
  go: z.enum(['back', 'forward', 'reload']),
  ignoreCache: z.boolean().optional(),
});

const pixels = z.number().min(-100_000).max(100_000);
export const scroll = z
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

/** A name for a tab. What other tabs may be called by themselves is none: it would hide them (SE2). */
export const tabLabelSchema = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]*$/u, 'may hold letters, digits, spaces and _ . -')
  .refine((label) => !/^(active|t\d+)$/i.test(label.trim()), 'is a name that tabs have by themselves');

export const tab = z
  .strictObject({
    kind: z.literal('tab'),
    ...envelopeFields,
    do: z.enum(['open', 'focus', 'close', 'label', 'list']),
    url: urlSchema.optional(),
    index: z.int().min(0).max(1_000).optional(),
    label: tabLabelSchema.optional(),
  })
  .refine((action) => action.do !== 'label' || action.label !== undefined, {
    path: ['label'],
    message: 'is missing: give the name for the tab',
  });

export const dialog = z
  .strictObject({
    kind: z.literal('dialog'),
    ...envelopeFields,
    do: z.enum(['answer', 'arm', 'disarm']),
    dialogId: z.string().max(60).optional(),
    accept: z.boolean().optional(),
    promptText: z.string().max(10_000).optional(),
  })
  .refine((action) => action.do === 'disarm' || action.accept !== undefined, {
    path: ['accept'],
    message: 'is missing: true presses OK, false presses Cancel',
  });

export const resize = z.strictObject({
  kind: z.literal('resize'),
  ...envelopeFields,
  width: z.int().min(1).max(8_192),
  height: z.int().min(1).max(8_192),
  /** Device pixels for each CSS pixel; 1 when left out. */
  deviceScaleFactor: z.number().min(0.25).max(4).optional(),
  /** Laid out as on a phone: `meta viewport` counts, text may be enlarged. */
  mobile: z.boolean().optional(),
});

/** By an address that the operator has set up; off until then. */
export const search = z.strictObject({
  kind: z.literal('search'),
  ...envelopeFields,
  query: z.string().min(1).max(1_000),
  engine: z.string().min(1).max(40).optional(),
});
