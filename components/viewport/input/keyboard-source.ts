import {
  holdKey,
  isHeld,
  planKey,
  releaseAll,
  type HeldKeys,
  type KeyInput,
  type KeyPress,
  type Keyboards,
  type LeaveChord,
} from './keys';
import { softInput, TEXT_LIMITS } from './soft-keyboard';
import type { InputEvent } from '@/lib/protocol/input';

export interface KeyboardTarget {
  readonly push: (event: InputEvent) => void;
  readonly drives: () => boolean;
  readonly keyboards: () => Keyboards;
  readonly chord: () => LeaveChord;
  /** The person pressed the chord that leaves the page. */
  readonly onLeave: () => void;
  /** A person who does not drive typed. */
  readonly onOffer: () => void;
  readonly onCopy: (cut: boolean) => void;
}

/** Text kept in the field, so that a soft keyboard has something to delete. */
const FILLER = '\u200b\u200b';
/** Keys that keep their meaning in the cockpit for a person who only watches. */
const WATCHER_KEYS: ReadonlySet<string> = new Set([
  'Tab',
  'Escape',
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'NumLock',
]);

/**
 * Listens to a hidden text field, which receives compositions, pastes and soft keyboards, and pushes the input that the
 * page gets.
 */
export class KeyboardSource {
  readonly #field: HTMLTextAreaElement;
  readonly #target: KeyboardTarget;
  readonly #stop = new AbortController();
  #held: HeldKeys = new Map();
  #composing = false;

  constructor(field: HTMLTextAreaElement, target: KeyboardTarget) {
    this.#field = field;
    this.#target = target;
    const listen = { signal: this.#stop.signal };
    field.addEventListener('keydown', (event) => this.#key(event, 'keydown'), listen);
    field.addEventListener('keyup', (event) => this.#key(event, 'keyup'), listen);
    field.addEventListener('compositionstart', () => (this.#composing = true), listen);
    field.addEventListener('compositionend', (event) => this.#composed(event), listen);
    field.addEventListener('input', (event) => this.#edited(event), listen);
    field.addEventListener('paste', (event) => this.#pasted(event), listen);
    field.addEventListener('blur', () => this.releaseAll(), listen);
    this.#refill();
  }

  /** Releases all keys that are down in the page, because the keyboard went elsewhere. */
  releaseAll(): void {
    const held = releaseAll(this.#held);
    this.#held = new Map();
    if (this.#target.drives()) for (const event of held) this.#target.push(event);
  }

  /** Forgets the held keys when another participant got the lease: the server has released them. */
  forget(): void {
    this.#held = new Map();
  }

  dispose(): void {
    this.#stop.abort();
  }

  #key(event: KeyboardEvent, type: 'keydown' | 'keyup'): void {
    if (!this.#target.drives()) return this.#watched(event, type);
    event.stopPropagation();
    const plan = planKey(pressOf(event, type, this.#composing), this.#target.keyboards(), this.#target.chord());
    if (plan.do === 'native') return;
    event.preventDefault();
    if (plan.do === 'send') this.#send(plan.event);
    else if (plan.do === 'text') this.#target.push({ type: 'text', text: plan.text });
    else if (plan.do === 'copy') this.#target.onCopy(plan.cut);
    else if (plan.do === 'leave') this.#leave();
  }

  #watched(event: KeyboardEvent, type: 'keydown' | 'keyup'): void {
    const wants =
      type === 'keydown' && !WATCHER_KEYS.has(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!wants) return;
    event.preventDefault();
    event.stopPropagation();
    this.#target.onOffer();
  }

  #leave(): void {
    this.releaseAll();
    this.#target.onLeave();
  }

  /** Drops a keyup without its keydown: the key went down elsewhere. */
  #send(event: KeyInput): void {
    if (event.type === 'keyup' && !isHeld(this.#held, event)) return;
    this.#held = holdKey(this.#held, event);
    this.#target.push(event);
    const commandUp =
      event.type === 'keyup' && this.#target.keyboards().clientMac && (event.key === 'Control' || event.key === 'Meta');
    if (commandUp) this.releaseAll();
  }

  #composed(event: CompositionEvent): void {
    this.#composing = false;
    this.#text(event.data);
    this.#refill();
  }

  #edited(event: Event): void {
    if (this.#composing || !(event instanceof globalThis.InputEvent)) return;
    if (this.#target.drives()) for (const input of softInput(event)) this.#target.push(input);
    this.#refill();
  }

  #pasted(event: ClipboardEvent): void {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text === '') return;
    if (!this.#target.drives()) return this.#target.onOffer();
    this.#target.push({ type: 'paste', text: text.slice(0, TEXT_LIMITS.paste) });
  }

  #text(text: string): void {
    if (text !== '' && this.#target.drives())
      this.#target.push({ type: 'text', text: text.slice(0, TEXT_LIMITS.text) });
  }

  #refill(): void {
    this.#field.value = FILLER;
    this.#field.setSelectionRange(FILLER.length, FILLER.length);
  }
}

function pressOf(event: KeyboardEvent, type: 'keydown' | 'keyup', composing: boolean): KeyPress {
  const { key, code, location, repeat, altKey, ctrlKey, metaKey, shiftKey } = event;
  return {
    type,
    key,
    code,
    location,
    repeat,
    altKey,
    ctrlKey,
    metaKey,
    shiftKey,
    composing: composing || event.isComposing || event.keyCode === 229,
    altGraph: event.getModifierState('AltGraph'),
  };
}
