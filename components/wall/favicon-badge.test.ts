// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { badgedIcon } from './favicon-badge';

describe('badgedIcon', () => {
  it.each(['help', 'stuck'] as const)('[ui: one idea] is a picture with a dot for %s, in both schemes', (kind) => {
    for (const dark of [true, false]) {
      const picture = new DOMParser().parseFromString(badgedIcon(kind, dark), 'image/svg+xml');
      expect(picture.querySelector('parsererror')).toBeNull();
      expect(picture.documentElement.tagName).toBe('svg');
    }
    expect(badgedIcon('help', false)).not.toBe(badgedIcon('stuck', false));
  });
});
