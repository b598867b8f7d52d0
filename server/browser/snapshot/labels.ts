import type { FrameInfo } from './frames';

/** The labels of subframes, `f1`, `f2`…: fixed while the frame lives, never given to another frame (SN4). */
export class Labels {
  readonly #numbers = new Map<string, number>();
  #last = 0;

  of(frameId: string): string {
    const known = this.#numbers.get(frameId);
    const number = known ?? (this.#last += 1);
    if (known === undefined) this.#numbers.set(frameId, number);
    return `f${number}`;
  }

  given(frameId: string): string | undefined {
    const number = this.#numbers.get(frameId);
    return number === undefined ? undefined : `f${number}`;
  }

  /** Forgets frames that are gone. */
  keep(frames: readonly FrameInfo[]): void {
    const live = new Set(frames.map((frame) => frame.frameId));
    for (const frameId of this.#numbers.keys()) {
      if (!live.has(frameId)) this.#numbers.delete(frameId);
    }
  }
}
