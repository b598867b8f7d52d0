import type { Budget } from '@/lib/budget/budget';
import type { Point } from '@/lib/actions/kinds';
import type { Protocol } from '@/server/cdp/protocol';
import type { Write } from '../write';
import { delivered, type DialogSignal, type InputDelivery } from './gesture';
import type { Pointer } from './pointer';

/** Subscribes to the page's reports that a press became a drag and drop; `Input.dragIntercepted` of the tab fits. */
export type DragSignal = (handler: (data: Protocol.Input.DragData) => void) => () => void;

/**
 * One drag of the mouse (AC1). While a press moves, Chrome is asked to hand over any drag and drop that the page
 * begins; from then on drag events are dispatched, since a headless Chrome has no drag of the desktop. Sources:
 * Input.setInterceptDrags, Input.dispatchDragEvent.
 */
export class Dragging {
  #data: Protocol.Input.DragData | undefined;
  #stop: (() => void) | undefined;

  constructor(
    private readonly mouse: Pointer,
    private readonly dialogs: DialogSignal,
    private readonly intercepted: DragSignal,
    private readonly modifiers: () => number,
  ) {}

  /** Presses at a point, ready for both sorts of drag. */
  async begin(write: Write, budget: Budget, at: Point): Promise<InputDelivery> {
    this.#data = undefined;
    this.#stop = this.intercepted((data) => {
      this.#data = data;
    });
    await budget.race(write('Input.setInterceptDrags', { enabled: true }));
    return this.mouse.press(write, budget, at);
  }

  /**
   * Moves the drag. Chromium 156 reports a drag and drop before it acknowledges the move that began it, in frames too,
   * so it is known here (docs/chrome-facts.md, Input).
   */
  async move(write: Write, budget: Budget, to: Point): Promise<InputDelivery> {
    if (this.#data) return this.#event(write, budget, 'dragOver', to);
    const ended = await this.mouse.move(write, budget, to);
    return ended === 'done' && this.#begun() ? this.#event(write, budget, 'dragEnter', to) : ended;
  }

  /** Releases where the mouse is. Returns which sort of drag it was. */
  async drop(write: Write, budget: Budget, at: Point): Promise<'pointer' | 'drag-and-drop'> {
    if (!this.#data) {
      await this.mouse.up(write, budget);
      await this.#end(write);
      return 'pointer';
    }
    await this.#event(write, budget, 'drop', at);
    // A drag and drop swallows the release: the page gets none, as in a Chrome with a desktop.
    this.mouse.forget('left');
    await this.#end(write);
    return 'drag-and-drop';
  }

  /** Whether a drag was begun and not ended. */
  get underway(): boolean {
    return this.#stop !== undefined;
  }

  /** Ends an interrupted drag without a drop: Chrome must not hand over the next holder's own drags (I6). */
  async cancel(write: Write): Promise<void> {
    if (!this.#stop) return;
    const data = this.#data;
    await this.#end(write);
    if (data) await write('Input.dispatchDragEvent', { type: 'dragCancel', ...this.mouse.at, data });
  }

  async #end(write: Write): Promise<void> {
    await write('Input.setInterceptDrags', { enabled: false });
    this.#stop?.();
    this.#stop = undefined;
    this.#data = undefined;
  }

  #begun(): boolean {
    return this.#data !== undefined;
  }

  #event(
    write: Write,
    budget: Budget,
    type: 'dragEnter' | 'dragOver' | 'drop',
    { x, y }: Point,
  ): Promise<InputDelivery> {
    const data = this.#data ?? { items: [], dragOperationsMask: 1 };
    return delivered(budget, this.dialogs, [
      write('Input.dispatchDragEvent', { type, x, y, data, modifiers: this.modifiers() }),
    ]);
  }
}
