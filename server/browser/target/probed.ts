import { z } from 'zod';
import type { ElementFacts } from './page/facts';
import type { Crossing, Probed } from './page/probe';

/** Schemas of what the page-side helpers answer. */

export const factsSchema: z.ZodType<ElementFacts> = z.object({
  tag: z.string(),
  type: z.string(),
  role: z.string(),
  editable: z.enum(['text', 'value', 'no']),
  multiline: z.boolean(),
  checkable: z.enum(['checkbox', 'radio', 'switch', 'no']),
  checked: z.union([z.boolean(), z.literal('mixed')]),
  readOnly: z.boolean(),
  disabled: z.string().optional(),
  focused: z.boolean(),
  popup: z.boolean(),
  empty: z.boolean(),
});

export const crossingSchema: z.ZodType<Crossing> = z.object({
  state: z.enum(['ready', 'covered', 'offscreen']),
  why: z.string(),
});

export const rectSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const rectsSchema = z.array(rectSchema);

export const probedSchema: z.ZodType<Probed> = z.object({
  state: z.enum(['ready', 'gone', 'hidden', 'disabled', 'readonly', 'wrong', 'moving', 'offscreen', 'covered']),
  why: z.string(),
  points: z.array(z.object({ x: z.number(), y: z.number() })),
  facts: factsSchema.optional(),
});
