/**
 * One key of a US keyboard. Source: UI Events KeyboardEvent code and key values; Windows virtual key codes,
 * which Chrome uses as `keyCode` on every platform.
 */
export interface KeyDefinition {
  /** Physical key, `KeyboardEvent.code`. */
  readonly code: string;
  /** `KeyboardEvent.key` without Shift. */
  readonly key: string;
  readonly keyCode: number;
  /** `KeyboardEvent.key` with Shift, where it differs. */
  readonly shifted?: string;
  /** The text it types without modifiers, if that is not `key` itself. */
  readonly text?: string;
  /** `KeyboardEvent.location`: 1 left, 2 right, 3 numeric pad. */
  readonly location?: 1 | 2 | 3;
}

function letters(): KeyDefinition[] {
  return [...'abcdefghijklmnopqrstuvwxyz'].map((key) => {
    const upper = key.toUpperCase();
    return { code: `Key${upper}`, key, shifted: upper, keyCode: upper.charCodeAt(0) };
  });
}

function digits(): KeyDefinition[] {
  return [...')!@#$%^&*('].map((shifted, digit) => ({
    code: `Digit${digit}`,
    key: String(digit),
    shifted,
    keyCode: 48 + digit,
  }));
}

const PUNCTUATION: readonly KeyDefinition[] = [
  { code: 'Space', key: ' ', keyCode: 32 },
  { code: 'Semicolon', key: ';', shifted: ':', keyCode: 186 },
  { code: 'Equal', key: '=', shifted: '+', keyCode: 187 },
  { code: 'Comma', key: ',', shifted: '<', keyCode: 188 },
  { code: 'Minus', key: '-', shifted: '_', keyCode: 189 },
  { code: 'Period', key: '.', shifted: '>', keyCode: 190 },
  { code: 'Slash', key: '/', shifted: '?', keyCode: 191 },
  { code: 'Backquote', key: '`', shifted: '~', keyCode: 192 },
  { code: 'BracketLeft', key: '[', shifted: '{', keyCode: 219 },
  { code: 'Backslash', key: '\\', shifted: '|', keyCode: 220 },
  { code: 'BracketRight', key: ']', shifted: '}', keyCode: 221 },
  { code: 'Quote', key: "'", shifted: '"', keyCode: 222 },
];

/** `[code, key, keyCode]` of keys that are called by name. */
const NAMED: readonly (readonly [string, string, number])[] = [
  ['Backspace', 'Backspace', 8],
  ['Tab', 'Tab', 9],
  ['Pause', 'Pause', 19],
  ['CapsLock', 'CapsLock', 20],
  ['Escape', 'Escape', 27],
  ['PageUp', 'PageUp', 33],
  ['PageDown', 'PageDown', 34],
  ['End', 'End', 35],
  ['Home', 'Home', 36],
  ['ArrowLeft', 'ArrowLeft', 37],
  ['ArrowUp', 'ArrowUp', 38],
  ['ArrowRight', 'ArrowRight', 39],
  ['ArrowDown', 'ArrowDown', 40],
  ['PrintScreen', 'PrintScreen', 44],
  ['Insert', 'Insert', 45],
  ['Delete', 'Delete', 46],
  ['ContextMenu', 'ContextMenu', 93],
  ['NumLock', 'NumLock', 144],
  ['ScrollLock', 'ScrollLock', 145],
];

const MODIFIER_KEYS: readonly KeyDefinition[] = [
  { code: 'ShiftLeft', key: 'Shift', keyCode: 16, location: 1 },
  { code: 'ShiftRight', key: 'Shift', keyCode: 16, location: 2 },
  { code: 'ControlLeft', key: 'Control', keyCode: 17, location: 1 },
  { code: 'ControlRight', key: 'Control', keyCode: 17, location: 2 },
  { code: 'AltLeft', key: 'Alt', keyCode: 18, location: 1 },
  { code: 'AltRight', key: 'Alt', keyCode: 18, location: 2 },
  { code: 'AltRight', key: 'AltGraph', keyCode: 225, location: 2 },
  { code: 'MetaLeft', key: 'Meta', keyCode: 91, location: 1 },
  { code: 'MetaRight', key: 'Meta', keyCode: 92, location: 2 },
];

function functionKeys(): KeyDefinition[] {
  return Array.from({ length: 24 }, (_, index) => ({
    code: `F${index + 1}`,
    key: `F${index + 1}`,
    keyCode: 112 + index,
  }));
}

function numericPad(): KeyDefinition[] {
  const figures = [...'0123456789'].map((key, digit): KeyDefinition => ({
    code: `Numpad${digit}`,
    key,
    keyCode: 96 + digit,
    location: 3,
  }));
  return [
    ...figures,
    { code: 'NumpadMultiply', key: '*', keyCode: 106, location: 3 },
    { code: 'NumpadAdd', key: '+', keyCode: 107, location: 3 },
    { code: 'NumpadSubtract', key: '-', keyCode: 109, location: 3 },
    { code: 'NumpadDecimal', key: '.', keyCode: 110, location: 3 },
    { code: 'NumpadDivide', key: '/', keyCode: 111, location: 3 },
    { code: 'NumpadEnter', key: 'Enter', keyCode: 13, text: '\r', location: 3 },
  ];
}

/** Every key, the main block before the numeric pad: the first that types a character is the one used for it. */
export const KEYS: readonly KeyDefinition[] = [
  ...letters(),
  ...digits(),
  ...PUNCTUATION,
  { code: 'Enter', key: 'Enter', keyCode: 13, text: '\r' },
  ...NAMED.map(([code, key, keyCode]) => ({ code, key, keyCode })),
  ...MODIFIER_KEYS,
  ...functionKeys(),
  ...numericPad(),
];

const byCode = new Map(KEYS.toReversed().map((key) => [key.code, key]));

export function keyByCode(code: string): KeyDefinition | undefined {
  return byCode.get(code);
}

export interface KeyForText {
  readonly key: KeyDefinition;
  readonly shift: boolean;
}

const byText = new Map<string, KeyForText>();
for (const key of KEYS) {
  if (key.key.length === 1 && !byText.has(key.key)) byText.set(key.key, { key, shift: false });
  if (key.shifted !== undefined && !byText.has(key.shifted)) byText.set(key.shifted, { key, shift: true });
}

/** The key that types one character on a US keyboard, and whether Shift is needed; undefined when none does. */
export function keyForText(character: string): KeyForText | undefined {
  return byText.get(character);
}

/** The text that a key types with or without Shift; undefined for keys that type nothing. */
export function textOf(key: KeyDefinition, shift: boolean): string | undefined {
  if (key.text !== undefined) return key.text;
  const shown = shift ? (key.shifted ?? key.key) : key.key;
  return shown.length === 1 ? shown : undefined;
}
