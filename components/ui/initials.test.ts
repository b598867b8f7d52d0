import { describe, expect, it } from 'vitest';
import { initialsOf, participantColour } from './initials';

describe('initialsOf', () => {
  it.each([
    ['Mara Keller', 'MK'],
    ['buyer-bot', 'BB'],
    ['ana', 'AN'],
    ['岳琳', '岳'],
    ['x', 'X'],
    ['', '?'],
    ['-- 🤖 --', '?'],
    ['émile zola', 'ÉZ'],
  ])('%s is %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('participantColour', () => {
  it('folds any index into the palette', () => {
    expect(participantColour(8)).toBe(participantColour(0));
    expect(participantColour(-1)).toBe(participantColour(7));
  });

  it('[ui: style] white letters reach 4.5:1 on every colour', () => {
    const weak = Array.from({ length: 8 }, (_, index) => participantColour(index)).filter(
      (colour) => contrastWithWhite(colour) < 4.5,
    );
    expect(weak).toEqual([]);
  });
});

/** WCAG 2.2, relative luminance of #rrggbb. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
