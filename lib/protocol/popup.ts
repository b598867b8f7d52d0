import { z } from 'zod';

/**
 * A popup that Chrome draws outside of the page, and so outside of the picture, when a control is pressed (DI3). The
 * cockpit draws it instead.
 */

/** `target`: the CDP target of a frame in another process. */
const node = z.object({ loaderId: z.string(), backendNodeId: z.number().int(), target: z.string().optional() });
const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const shared = {
  /** Names the control to actions. */
  node,
  /** Where it is, CSS pixels of the viewport. */
  box,
  /** Its label; page text. */
  label: z.string(),
} as const;

const FIELD_SORTS = ['date', 'time', 'datetime-local', 'month', 'week', 'color'] as const;

export const popupSchema = z.discriminatedUnion('sort', [
  z.object({
    ...shared,
    sort: z.literal('select'),
    /** In order; `index` is the value for the select action. Labels are page text. */
    options: z.array(
      z.object({ index: z.number().int(), label: z.string(), group: z.string(), disabled: z.boolean() }),
    ),
    /** Index of the chosen option, -1 when there is none. */
    selected: z.number().int(),
    /** How many options are left out. */
    more: z.number().int(),
  }),
  z.object({
    ...shared,
    sort: z.enum(FIELD_SORTS),
    value: z.string(),
    min: z.string(),
    max: z.string(),
    step: z.string(),
  }),
]);
export type PopupView = z.infer<typeof popupSchema>;
export type SelectPopup = Extract<PopupView, { sort: 'select' }>;
export type FieldPopup = Exclude<PopupView, SelectPopup>;
