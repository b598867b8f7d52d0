import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';

/**
 * A picture of a stream for a painter (frames of pages are elsewhere). `painted` returns its credit to the server and
 * must be called exactly once (FR2).
 */
export interface Frame {
  readonly meta: FrameMeta;
  readonly picture: ArrayBuffer;
  readonly painted: () => void;
}

export interface StreamSink {
  /** The stream was opened or reopened: its sequence numbers start anew. */
  readonly onOpen: () => void;
  readonly onFrame: (frame: Frame) => void;
  readonly onStatus: (status: StreamStatus) => void;
}

/**
 * Dispatches pictures to the painter of their stream. The server may send the first picture before its answer to
 * `stream.open` arrives: while an opening is pending, this keeps the newest picture and status of unknown streams.
 */
export class FrameRoutes {
  readonly #sinks = new Map<string, StreamSink>();
  readonly #early = new Map<string, { frame?: Frame; status?: StreamStatus }>();
  #opening = 0;

  openingBegins(): void {
    this.#opening += 1;
  }

  /** The opening succeeded (with `stream` and its sink) or failed (without). */
  openingEnds(stream?: string, sink?: StreamSink): void {
    this.#opening -= 1;
    if (stream !== undefined && sink !== undefined) {
      this.#sinks.set(stream, sink);
      sink.onOpen();
      this.#deliverEarly(stream, sink);
    }
    if (this.#opening === 0) this.#forgetEarly();
  }

  close(stream: string): void {
    this.#sinks.delete(stream);
  }

  /** Forgets all streams: the server closed them with the lost connection. */
  closeAll(): void {
    this.#sinks.clear();
    this.#early.clear();
  }

  frame(frame: Frame): void {
    const sink = this.#sinks.get(frame.meta.stream);
    if (sink) return sink.onFrame(frame);
    if (this.#opening === 0) return frame.painted();
    const early = this.#early.get(frame.meta.stream);
    early?.frame?.painted();
    this.#early.set(frame.meta.stream, { ...early, frame });
  }

  status(status: StreamStatus): void {
    const sink = this.#sinks.get(status.stream);
    if (sink) return sink.onStatus(status);
    if (this.#opening > 0) this.#early.set(status.stream, { ...this.#early.get(status.stream), status });
  }

  #deliverEarly(stream: string, sink: StreamSink): void {
    const early = this.#early.get(stream);
    this.#early.delete(stream);
    if (early?.status) sink.onStatus(early.status);
    if (early?.frame) sink.onFrame(early.frame);
  }

  #forgetEarly(): void {
    for (const { frame } of this.#early.values()) frame?.painted();
    this.#early.clear();
  }
}
