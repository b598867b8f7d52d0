// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { badgedIcon } from './favicon-badge';

const KINDS = ['agent', 'human', 'help', 'stuck'] as const;
const WITHOUT_COLOURS = /#[0-9a-f]{3,6}/g;

describe('badgedIcon', () => {
  it.each(KINDS)('[ui: one idea] is a picture with a badge for %s, in both schemes', (kind) => {
    for (const dark of [true, false]) {
      const picture = new DOMParser().parseFromString(badgedIcon(kind, dark), 'image/svg+xml');
      expect(picture.querySelector('parsererror')).toBeNull();
      expect(picture.documentElement.tagName).toBe('svg');
    }
  });

  it('[ui: one idea] differs by shape, not by colour alone', () => {
    expect(new Set(KINDS.map((kind) => badgedIcon(kind, false).replaceAll(WITHOUT_COLOURS, ''))).size).toBe(
      KINDS.length,
    );
  });
});
