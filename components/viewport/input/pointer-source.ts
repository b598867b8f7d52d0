import { buttonName, countClick, modifierBits, wheelInput, type Button, type LastPress } from './pointer';
import { touch, type Touch, type TouchAction } from './touch';
import type { XY } from './page-point';
import type { InputEvent } from '@/lib/protocol/input';

export interface PointerTarget {
  /** A point of the window as CSS pixels of the page; undefined outside of the picture, unless a button is held. */
  readonly toPage: (x: number, y: number, held: boolean) => XY | undefined;
  /** Pixels of the screen per CSS pixel of the page. */
  readonly scale: () => number;
  /** CSS pixels that a wheel event in page mode scrolls. */
  readonly pageHeight: () => number;
  readonly push: (event: InputEvent) => void;
  /** True while this person drives. */
  readonly drives: () => boolean;
  /** A person who does not drive clicked the page. `at`: pixels of the window. */
  readonly onOffer: (at: XY) => void;
  /**
   * The pointer, or a finger, of a person who does not drive moved, to CSS pixels of the page; null: it left the page.
   */
  readonly onPoint: (at: XY | null) => void;
  /** A press by mouse or pen: the page gets the keyboard, too. `x` and `y`: pixels of the window. */
  readonly onPress: (x: number, y: number) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Down {
  readonly pointer: number;
  readonly count: number;
}

/** Listens to mouse, pen and touch over the picture, and pushes the input that the page gets. */
export class PointerSource {
  readonly #element: HTMLElement;
  readonly #target: PointerTarget;
  readonly #stop = new AbortController();
  readonly #down = new Map<Button, Down>();
  #clicked: LastPress | undefined;
  #touch: Touch = { state: 'none' };

  constructor(element: HTMLElement, target: PointerTarget) {
    this.#element = element;
    this.#target = target;
    const listen = { signal: this.#stop.signal, passive: false };
    element.addEventListener('pointerdown', (event) => this.#pressed(event), listen);
    element.addEventListener('pointermove', (event) => this.#moved(event), listen);
    element.addEventListener('pointerup', (event) => this.#released(event), listen);
    element.addEventListener('pointercancel', (event) => this.#cancelled(event), listen);
    element.addEventListener('pointerleave', (event) => this.#left(event), listen);
    element.addEventListener('wheel', (event) => this.#turned(event), listen);
    element.addEventListener('contextmenu', (event) => event.preventDefault(), listen);
  }

  /** Releases all buttons that are down in the page, because the window lost the focus. */
  releaseAll(): void {
    for (const [button, { count }] of this.#down) {
      const at = this.#clicked ?? { x: 0, y: 0 };
      this.#target.push({ type: 'up', x: at.x, y: at.y, button, buttons: 0, clickCount: count, modifiers: 0 });
    }
    this.forget();
  }

  /** Forgets buttons and touches when another participant got the lease: the server has released them. */
  forget(): void {
    this.#down.clear();
    this.#touch = { state: 'none' };
  }

  dispose(): void {
    this.#stop.abort();
  }

  #pressed(event: PointerEvent): void {
    if (event.pointerType === 'touch') return this.#touched(event, 'down');
    event.preventDefault();
    const at = this.#target.toPage(event.clientX, event.clientY, false);
    const button = buttonName(event.button);
    if (!at || !button) return;
    this.#target.onPress(event.clientX, event.clientY);
    if (!this.#target.drives()) return this.#offers(event);
    this.#element.setPointerCapture(event.pointerId);
    this.#clicked = countClick(this.#clicked, { button, ...at, at: this.#target.now() });
    this.#down.set(button, { pointer: event.pointerId, count: this.#clicked.count });
    this.#target.push({
      type: 'down',
      ...at,
      button,
      buttons: event.buttons,
      clickCount: this.#clicked.count,
      modifiers: modifierBits(event),
    });
  }

  /**
   * Handles moves. A button pressed while another is down arrives as a move: the DOM sends `pointerdown` for the first
   * only.
   */
  #moved(event: PointerEvent): void {
    if (event.pointerType === 'touch') return this.#touched(event, 'move');
    if (!this.#target.drives()) return this.#points(event);
    if (event.button >= 0) return this.#chorded(event);
    const at = this.#target.toPage(event.clientX, event.clientY, this.#down.size > 0);
    if (at) this.#target.push({ type: 'move', ...at, buttons: event.buttons, modifiers: modifierBits(event) });
  }

  #chorded(event: PointerEvent): void {
    const button = buttonName(event.button);
    if (button === undefined) return;
    if (this.#down.has(button)) this.#released(event);
    else this.#pressed(event);
  }

  #released(event: PointerEvent): void {
    if (event.pointerType === 'touch') return this.#touched(event, 'up');
    const button = buttonName(event.button);
    const down = button === undefined ? undefined : this.#down.get(button);
    if (!button || !down) return;
    this.#down.delete(button);
    const at = this.#target.toPage(event.clientX, event.clientY, true);
    if (at && this.#target.drives())
      this.#target.push({
        type: 'up',
        ...at,
        button,
        buttons: event.buttons,
        clickCount: down.count,
        modifiers: modifierBits(event),
      });
  }

  #cancelled(event: PointerEvent): void {
    if (event.pointerType === 'touch') return this.#touched(event, 'cancel');
    if (this.#target.drives()) this.releaseAll();
    else this.forget();
  }

  #turned(event: WheelEvent): void {
    if (!this.#target.drives()) return;
    const at = this.#target.toPage(event.clientX, event.clientY, false);
    if (!at) return;
    event.preventDefault();
    this.#target.push(wheelInput(event, at, this.#target.pageHeight()));
  }

  /** A finger that was lifted still points there, until it has rested. */
  #left(event: PointerEvent): void {
    if (event.pointerType !== 'touch' && !this.#target.drives()) this.#target.onPoint(null);
  }

  #touched(event: PointerEvent, type: 'down' | 'move' | 'up' | 'cancel'): void {
    const drives = this.#target.drives();
    if (drives) event.preventDefault();
    const step = touch(this.#touch, {
      type,
      finger: event.pointerId,
      point: { x: event.clientX, y: event.clientY },
      at: this.#target.now(),
    });
    this.#touch = step.state;
    if (!step.action) return;
    if (drives) this.#does(step.action);
    else if (step.action.do === 'scroll') this.#points(event);
    else if (this.#target.toPage(step.action.at.x, step.action.at.y, false)) this.#target.onOffer(step.action.at);
  }

  #points({ clientX, clientY }: PointerEvent): void {
    const at = this.#target.toPage(clientX, clientY, false);
    if (at) this.#target.onPoint(at);
  }

  #offers({ clientX, clientY }: PointerEvent): void {
    this.#target.onOffer({ x: clientX, y: clientY });
  }

  #does(action: TouchAction): void {
    const at = this.#target.toPage(action.at.x, action.at.y, false);
    if (!at) return;
    if (action.do === 'tap') return this.#taps(at);
    const scale = this.#target.scale();
    this.#target.push({ type: 'wheel', ...at, dx: action.dx / scale, dy: action.dy / scale, modifiers: 0 });
  }

  #taps(at: XY): void {
    this.#clicked = countClick(this.#clicked, { button: 'left', ...at, at: this.#target.now() });
    const press = { ...at, button: 'left', clickCount: this.#clicked.count, modifiers: 0 } as const;
    this.#target.push({ type: 'move', ...at, buttons: 0, modifiers: 0 });
    this.#target.push({ type: 'down', ...press, buttons: 1 });
    this.#target.push({ type: 'up', ...press, buttons: 0 });
  }
}
