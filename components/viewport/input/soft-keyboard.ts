import type { InputEvent } from '@/lib/protocol/input';

/** The fields of an InputEvent that say what was edited. */
export interface SoftInput {
  /** InputEvent.inputType (Input Events Level 2). */
  readonly inputType: string;
  readonly data: string | null;
}

/** Keys for the edits of soft keyboards, by input type. */
const EDIT_KEYS: Readonly<Record<string, string>> = {
  deleteContentBackward: 'Backspace',
  deleteWordBackward: 'Backspace',
  deleteContentForward: 'Delete',
  insertLineBreak: 'Enter',
  insertParagraph: 'Enter',
};

/** Gives the keys or text that stand for an edit: soft keyboards send no key events but edit the text field. */
export function softInput({ inputType, data }: SoftInput): readonly InputEvent[] {
  const key = EDIT_KEYS[inputType];
  if (key !== undefined) return pressOf(key);
  const typed = inputType === 'insertText' || inputType === 'insertReplacementText';
  return typed && data !== null && data !== '' ? [{ type: 'text', text: data }] : [];
}

function pressOf(key: string): readonly InputEvent[] {
  const common = { key, code: key, location: 0, repeat: false, modifiers: 0 };
  return [
    { type: 'keydown', ...common },
    { type: 'keyup', ...common },
  ];
}

/** Longest text of one `text` event, and of one `paste`. */
export const TEXT_LIMITS = { text: 10_000, paste: 100_000 } as const;
