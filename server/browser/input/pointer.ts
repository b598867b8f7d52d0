import type { Budget } from '@/lib/budget/budget';
import type { Point } from '@/lib/actions/kinds';
import type { Protocol } from '@/server/cdp/protocol';
import type { Write } from '../write';
import { delivered, sendRelease, type DialogSignal, type InputDelivery } from './gesture';

export type Button = 'left' | 'middle' | 'right' | 'back' | 'forward';

/** The DOM's `buttons` bit field, which CDP shares. */
const BUTTON_BITS = { left: 1, right: 2, middle: 4, back: 8, forward: 16 } as const satisfies Record<Button, number>;

export interface PressOptions {
  readonly button?: Button;
  /** Which press of a multiple click this is, 1 for a plain click. */
  readonly count?: number;
}

/** A mouse event made by a person. */
export type RawMouseEvent = Protocol.Input.DispatchMouseEventRequest & { readonly button?: Button | 'none' };

/** Where a press is released when it must not become a click: no element is there. */
const NOWHERE: Point = { x: -1, y: -1 };

/**
 * The mouse of one tab: its position and the buttons that are down. Points are CSS px of the viewport. Source:
 * Input.dispatchMouseEvent.
 */
export class Pointer {
  /** The buttons that are down, each with a symbol of its press. */
  readonly #held = new Map<Button, symbol>();
  #at: Point = { x: 0, y: 0 };

  constructor(
    private readonly dialogs: DialogSignal,
    private readonly modifiers: () => number,
  ) {}

  get at(): Point {
    return this.#at;
  }

  get held(): readonly Button[] {
    return [...this.#held.keys()];
  }

  async move(write: Write, budget: Budget, to: Point): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#moved(write, to)]);
  }

  /**
   * Moves to a point and presses there. Both events are written at once: Chrome acknowledges a lone move only with its
   * next frame, while with a press behind it Chrome delivers both in order at once (16 ms less, measured).
   */
  async press(write: Write, budget: Budget, at: Point, options: PressOptions = {}): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#moved(write, at), this.#pressed(write, options)]);
  }

  async down(write: Write, budget: Budget, options: PressOptions = {}): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#pressed(write, options)]);
  }

  async up(write: Write, budget: Budget, options: PressOptions = {}): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#released(write, this.#at, options)]);
  }

  /** Dispatches one wheel event at a point; `dx`, `dy` in CSS px, positive towards the end of the page. */
  async wheel(write: Write, budget: Budget, at: Point, dx: number, dy: number): Promise<InputDelivery> {
    this.#at = at;
    const event = write('Input.dispatchMouseEvent', { ...this.#event('mouseWheel', at), deltaX: dx, deltaY: dy });
    return delivered(budget, this.dialogs, [event]);
  }

  /**
   * Passes on a person's event with its own point and buttons (CO11). Written before this returns; settles when Chrome
   * has it.
   */
  async raw(write: Write, budget: Budget, event: RawMouseEvent): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#raw(write, event)]);
  }

  /** Releases every button outside of the page, so that an abandoned press does not become a click (AC4, I6). */
  async releaseAll(write: Write): Promise<void> {
    await Promise.all(this.held.map((button) => this.#released(write, NOWHERE, { button })));
  }

  /** Marks a button as released without an event: a drag and drop swallowed its release. */
  forget(button: Button): void {
    this.#held.delete(button);
  }

  // Asynchronous so that a refusal of the fence becomes a rejection: a throw between two events would leave the earlier
  // event's rejection unhandled.
  async #moved(write: Write, to: Point): Promise<void> {
    this.#at = to;
    const [button] = this.held;
    await write('Input.dispatchMouseEvent', { ...this.#event('mouseMoved', to), button: button ?? 'none' });
  }

  async #pressed(write: Write, { button = 'left', count = 1 }: PressOptions): Promise<void> {
    await this.#pressing(button, () =>
      write('Input.dispatchMouseEvent', {
        ...this.#event('mousePressed', this.#at),
        button,
        clickCount: count,
        force: 0.5,
      }),
    );
  }

  async #released(write: Write, at: Point, { button = 'left', count = 1 }: PressOptions): Promise<void> {
    const buttons = this.#bits() & ~BUTTON_BITS[button];
    await this.#releasing(button, () =>
      write('Input.dispatchMouseEvent', { ...this.#event('mouseReleased', at), button, buttons, clickCount: count }),
    );
  }

  async #raw(write: Write, event: RawMouseEvent): Promise<void> {
    this.#at = { x: event.x, y: event.y };
    const { button = 'none', type } = event;
    const send = (): Promise<unknown> => write('Input.dispatchMouseEvent', event);
    if (button === 'none') await send();
    else if (type === 'mousePressed') await this.#pressing(button, send);
    else if (type === 'mouseReleased') await this.#releasing(button, send);
    else await send();
  }

  /** After a refusal by the fence the button stays listed for `releaseAll`. */
  #releasing(button: Button, send: () => Promise<unknown>): Promise<void> {
    const press = this.#held.get(button);
    return sendRelease(send, () => {
      // The next holder may have pressed the button again meanwhile.
      if (this.#held.get(button) === press) this.#held.delete(button);
    });
  }

  /** Marks a button as down; a press that the fence refuses was never sent, and leaves nothing down (I6). */
  #pressing(button: Button, send: () => Promise<unknown>): Promise<unknown> {
    const before = this.#held.get(button);
    this.#held.set(button, Symbol(button));
    try {
      return send();
    } catch (refused) {
      if (before) this.#held.set(button, before);
      else this.#held.delete(button);
      throw refused;
    }
  }

  #event<T extends Protocol.Input.DispatchMouseEventRequest['type']>(type: T, { x, y }: Point) {
    return { type, x, y, buttons: this.#bits(), modifiers: this.modifiers(), pointerType: 'mouse' as const };
  }

  #bits(): number {
    let bits = 0;
    for (const button of this.held) bits |= BUTTON_BITS[button];
    return bits;
  }
}
