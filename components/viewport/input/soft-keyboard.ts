import type { InputEvent } from '@/lib/protocol/input';

/** What an InputEvent of the hidden text field says happened. */
export interface SoftInput {
  /** InputEvent.inputType (Input Events Level 2). */
  readonly inputType: string;
  readonly data: string | null;
}

/** The keys that soft keyboards express as edits, by input type. */
const EDIT_KEYS: Readonly<Record<string, string>> = {
  deleteContentBackward: 'Backspace',
  deleteWordBackward: 'Backspace',
  deleteContentForward: 'Delete',
  insertLineBreak: 'Enter',
  insertParagraph: 'Enter',
};

/** Soft keyboards press no keys, they edit a text field: this gives the keys and text that mean the same. */
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
