import { arrive, decoded, emptySlot, type Slot, type SlotStep } from './painter-slot';
import type { Frame } from '@/components/session-client/frame-routes';
import type { FrameMeta } from '@/lib/protocol/views';

export interface PainterOptions {
  readonly canvas: HTMLCanvasElement;
  /** Called after each painted picture. Must be cheap: it runs for every frame. */
  readonly onPainted: (meta: FrameMeta, bytes: number) => void;
}

interface Job {
  readonly tab: string;
  readonly seq: number;
  readonly frame: Frame;
}

const MIME = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const;

/**
 * Decodes pictures off the main thread, draws the newest to a canvas and then acknowledges it (FR2). In a background
 * tab it paints and acknowledges nothing, so that the stream pauses.
 */
export class Painter {
  readonly #options: PainterOptions;
  readonly #context: CanvasRenderingContext2D | null;
  #slot: Slot<Job> = emptySlot();
  /** Pictures that arrived while the page was hidden, at most as many as the server leaves unacknowledged. */
  #whileHidden: Frame[] = [];
  #disposed = false;

  constructor(options: PainterOptions) {
    this.#options = options;
    this.#context = options.canvas.getContext('2d');
    document.addEventListener('visibilitychange', this.#shownAgain);
  }

  /** Takes a picture of the stream; returns its credit whether it is painted or skipped. */
  push(frame: Frame): void {
    if (this.#disposed) return frame.painted();
    if (document.hidden) return void this.#whileHidden.push(frame);
    this.#apply(arrive(this.#slot, { tab: frame.meta.tab, seq: frame.meta.seq, frame }));
  }

  /** Resets the sequence after the stream was opened again. */
  reset(): void {
    this.#slot = { ...this.#slot, shown: undefined };
  }

  dispose(): void {
    this.#disposed = true;
    document.removeEventListener('visibilitychange', this.#shownAgain);
    for (const frame of this.#whileHidden) frame.painted();
    this.#slot.waiting?.frame.painted();
  }

  readonly #shownAgain = (): void => {
    if (document.hidden) return;
    const held = this.#whileHidden;
    this.#whileHidden = [];
    for (const frame of held) this.push(frame);
  };

  #apply(step: SlotStep<Job>): void {
    this.#slot = step.slot;
    for (const job of step.skipped) job.frame.painted();
    if (step.decode) void this.#decode(step.decode.frame);
  }

  async #decode(frame: Frame): Promise<void> {
    const bitmap = await createImageBitmap(new Blob([frame.picture], { type: MIME[frame.meta.format] })).catch(
      () => undefined,
    );
    if (bitmap && !this.#disposed) this.#draw(bitmap, frame);
    bitmap?.close();
    frame.painted();
    if (!this.#disposed) this.#apply(decoded(this.#slot, bitmap === undefined));
  }

  /** Draws a picture. Sets the canvas's size only when it changes, because that clears the canvas. */
  #draw(bitmap: ImageBitmap, frame: Frame): void {
    const { canvas } = this.#options;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    this.#context?.drawImage(bitmap, 0, 0);
    this.#options.onPainted(frame.meta, frame.picture.byteLength);
  }
}
