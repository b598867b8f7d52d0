import { modifierBits, type ModifierKeys } from './pointer';
import type { InputEvent } from '@/lib/protocol/input';

export type KeyInput = Extract<InputEvent, { type: 'keydown' | 'keyup' }>;

/** The fields of a KeyboardEvent that decide what happens with it. */
export interface KeyPress extends ModifierKeys {
  readonly type: 'keydown' | 'keyup';
  readonly key: string;
  readonly code: string;
  readonly location: number;
  readonly repeat: boolean;
  /** True during a composition, and for keys of an input method (keyCode 229). */
  readonly composing: boolean;
  /** getModifierState('AltGraph'). On Windows that key also reports Control and Alt. */
  readonly altGraph: boolean;
}

export interface Keyboards {
  /** True when the person's keyboard has Command keys. */
  readonly clientMac: boolean;
  /** True when Chrome runs on a Mac, where Command does what Control does elsewhere. */
  readonly chromeMac: boolean;
}

export type KeyPlan =
  /** Send the key to the page, and prevent the browser's own action. */
  | { readonly do: 'send'; readonly event: KeyInput }
  /** Insert a character that no key of Chrome's layout types. */
  | { readonly do: 'text'; readonly text: string }
  /** Leave the key to the browser: it comes back as text or as a paste. */
  | { readonly do: 'native' }
  | { readonly do: 'copy'; readonly cut: boolean }
  /** The chord that leaves the page. */
  | { readonly do: 'leave' }
  /** Send nothing to the page. */
  | { readonly do: 'ignore' };

/** Chords that leave the page; a person chooses one. */
export const LEAVE_CHORDS = {
  'ctrl-alt-shift': ['Ctrl', 'Alt', 'Shift'],
  'ctrl-shift-escape': ['Ctrl', 'Shift', 'Esc'],
  'ctrl-alt-l': ['Ctrl', 'Alt', 'L'],
} as const satisfies Record<string, readonly string[]>;
export type LeaveChord = keyof typeof LEAVE_CHORDS;

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Alt', 'Shift', 'Meta']);
/** Names of events that are no key: of soft keyboards, dead keys and input methods. They come back as text. */
const NOT_A_KEY: ReadonlySet<string> = new Set(['Dead', 'Process', 'Unidentified', 'Compose']);

/**
 * Decides what happens with one key event while the page has the keyboard (AC4). Pure, so that all layouts can be
 * tested.
 */
export function planKey(press: KeyPress, keyboards: Keyboards, chord: LeaveChord): KeyPlan {
  if (press.type === 'keydown' && leaves(press, chord)) return { do: 'leave' };
  if (press.composing || NOT_A_KEY.has(press.key)) return { do: 'native' };
  const clipboard = clipboardPlan(press, keyboards);
  if (clipboard) return press.type === 'keydown' ? clipboard : { do: 'ignore' };
  if (press.altGraph && isCharacter(press.key))
    return press.type === 'keydown' ? { do: 'text', text: press.key } : { do: 'ignore' };
  if (press.key === 'AltGraph') return { do: 'ignore' };
  return { do: 'send', event: keyInput(press, keyboards) };
}

/** The key for Chrome: Command of a Mac becomes Control where Chrome does not run on a Mac. */
function keyInput(press: KeyPress, keyboards: Keyboards): KeyInput {
  const mapped = keyboards.clientMac && !keyboards.chromeMac ? commandAsControl(press) : press;
  const { type, key, code, location, repeat } = mapped;
  return { type, key, code, location, repeat, modifiers: modifierBits(mapped) };
}

function commandAsControl(press: KeyPress): KeyPress {
  const held = { ...press, metaKey: false, ctrlKey: press.ctrlKey || press.metaKey };
  return press.key === 'Meta'
    ? { ...held, key: 'Control', code: press.code === 'MetaRight' ? 'ControlRight' : 'ControlLeft' }
    : held;
}

function leaves(press: KeyPress, chord: LeaveChord): boolean {
  if (press.altGraph || press.repeat) return false;
  const { ctrlKey, altKey, shiftKey, metaKey } = press;
  if (metaKey) return false;
  if (chord === 'ctrl-alt-shift') return ctrlKey && altKey && shiftKey && MODIFIERS.has(press.key);
  if (chord === 'ctrl-shift-escape') return ctrlKey && shiftKey && !altKey && press.key === 'Escape';
  return ctrlKey && altKey && !shiftKey && press.code === 'KeyL';
}

/** Copy, cut and paste use the person's clipboard, not the one that all contexts of Chrome share (SE6). */
function clipboardPlan(press: KeyPress, { clientMac }: Keyboards): KeyPlan | undefined {
  const command = clientMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  if (press.altKey || press.altGraph) return undefined;
  const key = press.key.toLowerCase();
  if (command && key === 'v') return { do: 'native' };
  if (command && !press.shiftKey && (key === 'c' || key === 'x')) return { do: 'copy', cut: key === 'x' };
  if (key === 'insert' && press.shiftKey && !press.ctrlKey) return { do: 'native' };
  if (key === 'insert' && press.ctrlKey && !press.shiftKey) return { do: 'copy', cut: false };
  return undefined;
}

/** True for one visible character, as opposed to the name of a key. */
function isCharacter(key: string): boolean {
  return [...key].length === 1;
}

/** The keys that are down in the page, so that each is released exactly once (I6). */
export type HeldKeys = ReadonlyMap<string, KeyInput>;

/**
 * Records a sent key. On a Mac, keys held under Command send no keyup: the caller releases all keys when Command is
 * released.
 */
export function holdKey(held: HeldKeys, event: KeyInput): HeldKeys {
  const next = new Map(held);
  if (event.type === 'keydown') next.set(slotOf(event), event);
  else next.delete(slotOf(event));
  return next;
}

/** The keyups that release all held keys, last pressed first. */
export function releaseAll(held: HeldKeys): readonly KeyInput[] {
  return [...held.values()]
    .reverse()
    .map((event) => ({ ...event, type: 'keyup' as const, repeat: false, modifiers: 0 }));
}

export function isHeld(held: HeldKeys, event: KeyInput): boolean {
  return held.has(slotOf(event));
}

function slotOf(event: KeyInput): string {
  return event.code === '' ? event.key : event.code;
}
