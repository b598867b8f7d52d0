/** Colours of discs with white letters: each reaches 4.5:1 against white, in both themes. */
const PALETTE = ['#0b7a5e', '#a8481f', '#2f62c9', '#8a4b08', '#7a3fc4', '#b01f5c', '#3f6b1f', '#0a6e86'] as const;

/** CSS colour of a participant's palette index; any integer is folded into the palette. */
export function participantColour(index: number): string {
  const place = ((Math.trunc(index) % PALETTE.length) + PALETTE.length) % PALETTE.length;
  return PALETTE[place] ?? PALETTE[0];
}

const letters = (word: string) => [...word].filter((sign) => /[\p{L}\p{N}]/u.test(sign));

/**
 * One or two letters for a name: the first letters of its first two words, or its first two letters; `?` for an empty
 * name.
 */
export function initialsOf(name: string): string {
  const words = name
    .split(/[\s\-_.@/]+/u)
    .map(letters)
    .filter((word) => word.length > 0);
  const first = words[0]?.[0];
  if (first === undefined) return '?';
  if (/\p{Script=Han}/u.test(first)) return first;
  const second = words[1]?.[0] ?? words[0]?.[1] ?? '';
  return `${first}${second}`.toLocaleUpperCase();
}

/** A palette index for an id, the same on every page. */
export function colourOf(id: string): number {
  return [...id].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 997, 7);
}
