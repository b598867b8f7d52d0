import type { InputEvent } from '@/lib/protocol/input';
import { keyByCode, textOf, type KeyDefinition } from './keys';
import { MODIFIER_BITS } from './modifiers';

/** The fields of CDP `Input.dispatchKeyEvent`, as far as we use them. */
export interface KeyEventFields {
  readonly type: 'keyDown' | 'rawKeyDown' | 'keyUp';
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly nativeVirtualKeyCode: number;
  readonly modifiers: number;
  readonly text?: string;
  readonly unmodifiedText?: string;
  readonly location?: number;
  readonly isKeypad?: boolean;
  readonly autoRepeat?: boolean;
  readonly commands?: string[];
}

/**
 * An editing command of Chrome that does nothing (measured on Chromium 156: without a value it changes nothing). Sent
 * with a key that copies, cuts or pastes, it takes the place of Chrome's own command, which would use the clipboard
 * that all contexts share (SE6); the page sees the key as it is.
 */
const NO_COMMAND = ['defaultParagraphSeparator'];

/** The same key down, without Chrome's own editing command. */
export function withoutCommand(fields: KeyEventFields): KeyEventFields {
  return { ...fields, commands: NO_COMMAND };
}

const SHORTCUT_BITS = MODIFIER_BITS.Alt | MODIFIER_BITS.Control | MODIFIER_BITS.Meta;

/** A key of the US table going down. With Control, Alt or Meta it is a shortcut and types nothing. */
export function keyDownFields(
  key: KeyDefinition,
  modifiers: number,
  options: { autoRepeat?: boolean; mac?: boolean } = {},
): KeyEventFields {
  const shift = (modifiers & MODIFIER_BITS.Shift) !== 0;
  const text = (modifiers & SHORTCUT_BITS) === 0 ? textOf(key, shift) : undefined;
  const commands = options.mac === true ? macCommands(key, modifiers) : undefined;
  return {
    ...keyFields(key, modifiers),
    type: text === undefined ? 'rawKeyDown' : 'keyDown',
    ...(text === undefined ? {} : { text, unmodifiedText: textOf(key, false) ?? text }),
    ...(options.autoRepeat === true ? { autoRepeat: true } : {}),
    ...(commands === undefined ? {} : { commands }),
  };
}

export function keyUpFields(key: KeyDefinition, modifiers: number): KeyEventFields {
  return { ...keyFields(key, modifiers), type: 'keyUp' };
}

function keyFields(key: KeyDefinition, modifiers: number): Omit<KeyEventFields, 'type'> {
  const shift = (modifiers & MODIFIER_BITS.Shift) !== 0;
  return {
    key: shift ? (key.shifted ?? key.key) : key.key,
    code: key.code,
    windowsVirtualKeyCode: key.keyCode,
    nativeVirtualKeyCode: key.keyCode,
    modifiers,
    ...place(key.location ?? 0),
  };
}

function place(location: number): { location?: number; isKeypad?: boolean } {
  if (location === 3) return { isKeypad: true };
  return location === 0 ? {} : { location };
}

export type PersonKey = Extract<InputEvent, { type: 'keydown' | 'keyup' }>;

/**
 * The fields for a person's key event (CO11) of any keyboard layout. The character is the person's own (`key`). The key
 * code follows the character for letters and digits, and the physical key otherwise, as in browsers. Some systems
 * report AltGr as Control+Alt beside a character: then both modifiers are removed.
 */
export function personKeyFields(event: PersonKey, mac = false): KeyEventFields {
  const typed = [...event.key].length === 1;
  const altGraph = typed && isAltGraph(event);
  const modifiers = altGraph ? event.modifiers & ~(MODIFIER_BITS.Control | MODIFIER_BITS.Alt) : event.modifiers;
  const keyCode = keyCodeOf(event);
  const base = {
    key: event.key,
    code: event.code,
    windowsVirtualKeyCode: keyCode,
    nativeVirtualKeyCode: keyCode,
    modifiers,
    ...place(event.location),
  };
  if (event.type === 'keyup') return { ...base, type: 'keyUp' };
  const text =
    (modifiers & SHORTCUT_BITS) !== 0 ? undefined : event.key === 'Enter' ? '\r' : typed ? event.key : undefined;
  const known = mac ? keyByCode(event.code) : undefined;
  const commands = known && macCommands(known, modifiers);
  return {
    ...base,
    type: text === undefined ? 'rawKeyDown' : 'keyDown',
    ...(text === undefined ? {} : { text, unmodifiedText: text }),
    ...(event.repeat ? { autoRepeat: true } : {}),
    ...(commands === undefined ? {} : { commands }),
  };
}

function isAltGraph(event: PersonKey): boolean {
  const both = MODIFIER_BITS.Control | MODIFIER_BITS.Alt;
  return (event.modifiers & both) === both && !/^[a-z0-9]$/i.test(event.key);
}

function keyCodeOf(event: PersonKey): number {
  if (event.location !== 3 && /^[a-z0-9]$/i.test(event.key)) return event.key.toUpperCase().charCodeAt(0);
  const physical = keyByCode(event.code);
  if (physical) return physical.keyCode;
  return keyByCode(event.key)?.keyCode ?? 0;
}

/**
 * Editing commands that macOS binds outside the page, so they must be sent with the key. On other systems Blink maps
 * the keys itself.
 */
const MAC_COMMANDS: Readonly<Record<string, string>> = {
  KeyA: 'selectAll',
  KeyZ: 'undo',
  ArrowLeft: 'moveToBeginningOfLine',
  ArrowRight: 'moveToEndOfLine',
  ArrowUp: 'moveToBeginningOfDocument',
  ArrowDown: 'moveToEndOfDocument',
  Backspace: 'deleteToBeginningOfLine',
};

function macCommands(key: KeyDefinition, modifiers: number): string[] | undefined {
  if ((modifiers & MODIFIER_BITS.Meta) === 0) return undefined;
  if (key.code === 'KeyZ' && (modifiers & MODIFIER_BITS.Shift) !== 0) return ['redo'];
  const command = MAC_COMMANDS[key.code];
  return command === undefined ? undefined : [command];
}
