import type { Modifier } from '@/lib/actions/shared';

/** A modifier as a keyboard has it; `ControlOrMeta` is decided by platform before it gets here. */
export type HeldModifier = Exclude<Modifier, 'ControlOrMeta'>;

/** CDP's bit field, `Input.dispatchKeyEvent.modifiers`. */
export const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const satisfies Record<HeldModifier, number>;

/** Order in which they are pressed; they are released the other way round. */
export const MODIFIERS = ['Control', 'Alt', 'Meta', 'Shift'] as const satisfies readonly HeldModifier[];

export function isModifier(key: string): key is HeldModifier {
  return Object.hasOwn(MODIFIER_BITS, key);
}

export function modifierBits(modifiers: Iterable<HeldModifier>): number {
  let bits = 0;
  for (const modifier of modifiers) bits |= MODIFIER_BITS[modifier];
  return bits;
}

/** Decides `ControlOrMeta`, drops doubles and sorts: the same set always gives the same list. */
export function settleModifiers(modifiers: readonly Modifier[], mac: boolean): HeldModifier[] {
  const wanted = new Set(
    modifiers.map((modifier) => (modifier === 'ControlOrMeta' ? (mac ? 'Meta' : 'Control') : modifier)),
  );
  return MODIFIERS.filter((modifier) => wanted.has(modifier));
}
