import { createGzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { Budget } from '@/lib/budget/budget';
import { PageProcessCounter } from '@/lib/trace/page-process-counter';
import { passed } from '@/lib/trace/filter';
import { TRACE_LIMITS } from '@/lib/trace/limits';
import { TraceScanner } from '@/lib/trace/scanner';
import type { TraceStream } from './recording';

/** Bytes read from Chrome at a time: a bound on the server's work before it turns to something else. */
const PIECE_BYTES = 256 * 1_024;

/** The largest file in bytes, and the largest event in characters. */
export type TraceFileLimits = Readonly<Record<'fileBytes' | 'eventChars', number>>;

/**
 * A trace as a file that Chrome's performance panel opens, without what belongs to other pages (`lib/trace/filter`).
 * Reads the trace twice: first to find out which processes served the page, then to write it out; never holds it whole
 * in memory. Source: IO.read with `offset`.
 */
export class TraceFile {
  /** Events in the file. */
  events = 0;
  /** Events that were filtered out. */
  leftOut = 0;
  cut = false;

  constructor(
    private readonly stream: TraceStream,
    private readonly startedAt: string,
    private readonly limits: TraceFileLimits = TRACE_LIMITS,
    /** Masks the session's secrets in an event (SN6). */
    private readonly redact: (event: string) => string = (event) => event,
  ) {
    this.cut = stream.dataLoss;
  }

  /** The bytes, compressed if requested. Throws what Chrome or the budget throws. */
  content(budget: Budget, gzip: boolean): AsyncIterable<Uint8Array> {
    const plain = this.#plain(budget);
    // `pipeline` passes an error on to the reader.
    return gzip ? pipeline(Readable.from(plain), createGzip(), () => undefined) : plain;
  }

  async *#plain(budget: Budget): AsyncGenerator<Uint8Array> {
    const census = new PageProcessCounter();
    for await (const texts of this.#pieces(budget)) for (const text of texts) census.see(text);
    const processes = census.result();
    let bytes = 0;
    yield Buffer.from('{"traceEvents":[');
    for await (const texts of this.#pieces(budget)) {
      const kept = texts.flatMap((text) => passed(text, processes) ?? []).map((text) => this.redact(text));
      this.leftOut += texts.length - kept.length;
      const chunk = Buffer.from(
        kept.map((text, index) => (this.events + index > 0 ? `,\n${text}` : `\n${text}`)).join(''),
      );
      bytes += chunk.byteLength;
      if (bytes > this.limits.fileBytes) {
        this.cut = true;
        break;
      }
      this.events += kept.length;
      yield chunk;
    }
    yield Buffer.from(
      `\n],"metadata":${JSON.stringify({ source: 'DevTools', dataOrigin: 'TraceEvents', startTime: this.startedAt })}}\n`,
    );
  }

  /** The texts of all events, in the order of the stream. */
  async *#pieces(budget: Budget): AsyncGenerator<string[]> {
    const { session, handle } = this.stream;
    const scanner = new TraceScanner(this.limits.eventChars);
    const decoder = new TextDecoder();
    for (let first = true; ; first = false) {
      const { data, eof, base64Encoded } = await budget.during('the trace to be read', () =>
        session.send('IO.read', { handle, size: PIECE_BYTES, ...(first ? { offset: 0 } : {}) }),
      );
      const text = base64Encoded === true ? decoder.decode(Buffer.from(data, 'base64'), { stream: true }) : data;
      yield [...scanner.feed(text)];
      if (eof) break;
    }
    if (scanner.skipped > 0) this.cut = true;
  }
}
