import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';

export interface SeenFrame {
  readonly meta: FrameMeta;
  readonly picture: Uint8Array;
  readonly painted: () => void;
}

/** A viewer's client in a test: keeps what it receives, paints at once unless told otherwise, and can be waited for. */
export class ViewerClient {
  readonly frames: SeenFrame[] = [];
  readonly statuses: StreamStatus[] = [];
  /** False: keeps pictures unpainted, like a client that stopped reading. */
  paints = true;
  readonly #waiting = new Set<() => void>();

  readonly send = (meta: FrameMeta, picture: Uint8Array, painted: () => void): void => {
    this.frames.push({ meta, picture, painted });
    if (this.paints) queueMicrotask(painted);
    this.#changed();
  };

  readonly status = (status: StreamStatus): void => {
    this.statuses.push(status);
    this.#changed();
  };

  get last(): SeenFrame | undefined {
    return this.frames.at(-1);
  }

  get state(): StreamStatus['state'] | undefined {
    return this.statuses.at(-1)?.state;
  }

  /** Resolves with the first frame from now on that matches. */
  async next(fits: (meta: FrameMeta) => boolean = () => true): Promise<SeenFrame> {
    const from = this.frames.length;
    const find = (): SeenFrame | undefined => this.frames.slice(from).find(({ meta }) => fits(meta));
    await this.until(() => find() !== undefined);
    const found = find();
    if (!found) throw new Error('A frame that was there is gone.');
    return found;
  }

  /** Resolves when `holds` is true; checked at every frame and status. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  #changed(): void {
    for (const look of [...this.#waiting]) look();
  }
}
