import { sumWheel } from './pointer';
import type { InputEvent } from '@/lib/protocol/input';

/** An input, with the number of the geometry that it was aimed at (FR4). */
export interface TargetedInput {
  readonly geometry: number;
  readonly event: InputEvent;
}

export interface OutboxOptions {
  /** Sends one input; settles with its answer. Must not reject. */
  readonly send: (aimed: TargetedInput) => Promise<void>;
  /** Calls `flush` at the next animation frame. */
  readonly nextFrame: (flush: () => void) => void;
}

/** The most unanswered moves; while there are as many, a new move replaces the waiting one. */
const MOST_MOVES = 4;

/**
 * Sends input to the socket, in order. Moves are coalesced to one per animation frame, and may be skipped on a slow
 * connection. Wheel deltas of one frame are added up. All other input is sent at once and never dropped.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #move: TargetedInput | undefined;
  #wheel: TargetedInput | undefined;
  #movesOut = 0;
  #scheduled = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  push(aimed: TargetedInput): void {
    if (aimed.event.type === 'move') this.#move = aimed;
    else if (aimed.event.type === 'wheel') this.#addWheel(aimed);
    else return this.#sendNow(aimed);
    this.#schedule();
  }

  /** Forgets unsent moves and wheel deltas, because another participant got the lease. */
  clear(): void {
    this.#move = undefined;
    this.#wheel = undefined;
  }

  /** Sends waiting moves and wheel deltas first, so that a press, key or text meets the page as the person left it. */
  #sendNow(aimed: TargetedInput): void {
    this.#flush(true);
    void this.#options.send(aimed);
  }

  #addWheel(aimed: TargetedInput): void {
    const before = this.#wheel?.event;
    const event =
      aimed.event.type === 'wheel' && before?.type === 'wheel' ? sumWheel(before, aimed.event) : aimed.event;
    this.#wheel = { ...aimed, event };
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#options.nextFrame(() => {
      this.#scheduled = false;
      this.#flush(false);
    });
  }

  #flush(evenWhenSlow: boolean): void {
    const move = this.#move;
    if (move && (evenWhenSlow || this.#movesOut < MOST_MOVES)) this.#sendMove(move);
    const wheel = this.#wheel;
    this.#wheel = undefined;
    if (wheel) void this.#options.send(wheel);
  }

  #sendMove(move: TargetedInput): void {
    this.#move = undefined;
    this.#movesOut += 1;
    void this.#options.send(move).then(() => {
      this.#movesOut -= 1;
      if (this.#move) this.#schedule();
    });
  }
}
