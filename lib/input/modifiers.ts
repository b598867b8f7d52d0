import type { Modifier } from '@/lib/actions/shared';

/** A modifier key of a keyboard; `ControlOrMeta` has been replaced by the platform's own. */
export type HeldModifier = Exclude<Modifier, 'ControlOrMeta'>;

/** CDP's bit field, `Input.dispatchKeyEvent.modifiers`. */
export const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const satisfies Record<HeldModifier, number>;

/** Order in which they are pressed; they are released in reverse order. */
export const MODIFIERS = ['Control', 'Alt', 'Meta', 'Shift'] as const satisfies readonly HeldModifier[];

export function isModifier(key: string): key is HeldModifier {
  return Object.hasOwn(MODIFIER_BITS, key);
}

export function modifierBits(modifiers: Iterable<HeldModifier>): number {
  let bits = 0;
  for (const modifier of modifiers) bits |= MODIFIER_BITS[modifier];
  return bits;
}

/** Replaces `ControlOrMeta`, removes duplicates and sorts: the same set always gives the same list. */
export function settleModifiers(modifiers: readonly Modifier[], mac: boolean): HeldModifier[] {
  const wanted = new Set(
    modifiers.map((modifier) => (modifier === 'ControlOrMeta' ? (mac ? 'Meta' : 'Control') : modifier)),
  );
  return MODIFIERS.filter((modifier) => wanted.has(modifier));
}
