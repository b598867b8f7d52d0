import type { InputEvent } from '@/lib/protocol/input';

/** A letter or digit that goes down or up, as the cockpit sends it. */
export function keyOf(type: 'keydown' | 'keyup', tag: string): InputEvent {
  const code = /\d/.test(tag) ? `Digit${tag}` : `Key${tag.toUpperCase()}`;
  return { type, key: tag, code, location: 0, repeat: false, modifiers: 0 };
}
