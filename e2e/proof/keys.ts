import type { InputEvent } from '@/lib/protocol/input';

/** A key event for a letter or digit, as the cockpit sends it. */
export function keyOf(type: 'keydown' | 'keyup', tag: string): InputEvent {
  const code = /\d/.test(tag) ? `Digit${tag}` : `Key${tag.toUpperCase()}`;
  return { type, key: tag, code, location: 0, repeat: false, modifiers: 0 };
}
