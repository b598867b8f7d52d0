import { MODIFIER_BITS } from './modifiers';

export type ClipboardVerb = 'copy' | 'cut' | 'paste';

const LETTERS: Readonly<Record<string, ClipboardVerb>> = { c: 'copy', x: 'cut', v: 'paste' };
const { Alt, Control, Meta, Shift } = MODIFIER_BITS;

/**
 * Whether a key with these modifiers (CDP bits) copies, cuts or pastes. The server carries out such keys itself, with a
 * clipboard for each session, because all contexts of one Chrome share one (SE6). `key`: `KeyboardEvent.key`; on a
 * layout without Latin letters, the letter of the physical key.
 */
export function clipboardVerb(key: string, modifiers: number, mac: boolean): ClipboardVerb | undefined {
  const name = key.toLowerCase();
  const accelerator = mac ? Meta : Control;
  const letter = LETTERS[name];
  // Control+Shift+C opens developer tools in browsers; Control+Shift+V pastes as plain text, which is all we paste.
  const extra = letter === 'paste' ? modifiers & ~Shift : modifiers;
  if (letter !== undefined && extra === accelerator) return letter;
  if (mac || (modifiers & (Alt | Meta)) !== 0) return undefined;
  if (name === 'insert' && modifiers === Control) return 'copy';
  if (name === 'insert' && modifiers === Shift) return 'paste';
  return name === 'delete' && modifiers === Shift ? 'cut' : undefined;
}
