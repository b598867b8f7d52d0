import { sumWheel } from './pointer';
import type { InputEvent } from '@/lib/protocol/input';

/** An input with the geometry it was aimed at (FR4). */
export interface TargetedInput {
  readonly geometry: number;
  readonly event: InputEvent;
}

export interface OutboxOptions {
  /** Sends one input; settles when it was answered. Must not reject. */
  readonly send: (aimed: TargetedInput) => Promise<void>;
  /** Calls back at the next animation frame. */
  readonly nextFrame: (flush: () => void) => void;
}

/** Moves on their way without an answer; more are not sent but replaced by newer ones. */
const MOST_MOVES = 4;

/**
 * The way of input to the socket, in order. Moves are coalesced to one per animation frame and may be passed over
 * when the line is slow; turns of the wheel are added up; nothing else is ever held back or lost.
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

  /** Forgets what was not sent yet: the lease is somebody else's now. */
  clear(): void {
    this.#move = undefined;
    this.#wheel = undefined;
  }

  /** What came before a press, a key or text goes out before it, so that it meets the page as the person left it. */
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
