import { z } from 'zod';

/** Raw input of a person (CO11). Points are CSS pixels of the page's viewport, already mapped by `lib/geometry`. */

const modifiers = z.int().min(0).max(15);
const coordinate = z.number().min(-10_000).max(100_000);
/** Where a pointer is on the page; null: on no page. */
export const pointerSchema = z.strictObject({ x: coordinate, y: coordinate }).nullable();
const buttons = z.int().min(0).max(31);

export const inputEventSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('move'), x: coordinate, y: coordinate, buttons, modifiers }),
  z.strictObject({
    type: z.enum(['down', 'up']),
    x: coordinate,
    y: coordinate,
    button: z.enum(['left', 'middle', 'right', 'back', 'forward']),
    buttons,
    clickCount: z.int().min(0).max(3),
    modifiers,
  }),
  z.strictObject({
    type: z.literal('wheel'),
    x: coordinate,
    y: coordinate,
    dx: z.number().min(-10_000).max(10_000),
    dy: z.number().min(-10_000).max(10_000),
    modifiers,
  }),
  z.strictObject({
    type: z.enum(['keydown', 'keyup']),
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    /** KeyboardEvent.location: 0 standard, 1 left, 2 right, 3 numpad. */
    location: z.int().min(0).max(3),
    repeat: z.boolean(),
    modifiers,
  }),
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(10_000) }),
  z.strictObject({ type: z.literal('paste'), text: z.string().min(1).max(100_000) }),
]);
/** `modifiers` is CDP's bit field: Alt 1, Control 2, Meta 4, Shift 8. `buttons` is the DOM's bit field. */
export type InputEvent = z.infer<typeof inputEventSchema>;
