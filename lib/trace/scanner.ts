const START = '"traceEvents":[';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const END = 0x5d;

/**
 * Splits a trace in Chrome's JSON form into the texts of its events while it arrives, so that a trace of 100 MB is
 * never held whole. Only the objects of `traceEvents` are returned; everything before and after is skipped.
 */
export class TraceScanner {
  #rest = '';
  #begun = false;
  #over = false;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The buffered part of the present event exceeds the limit. */
  #tooLong = false;
  /** Number of events that were too long. */
  skipped = 0;

  /** @param longest characters of one event; a longer one is skipped and counted */
  constructor(private readonly longest: number) {}

  /** The events that are complete with this piece. */
  *feed(piece: string): Generator<string> {
    if (this.#over) return;
    let text = this.#rest + piece;
    // The buffered part of an unfinished event has been scanned already.
    let at = this.#begun ? this.#rest.length : 0;
    if (!this.#begun) {
      const found = text.indexOf(START);
      if (found < 0) {
        this.#rest = text.slice(-START.length);
        return;
      }
      this.#begun = true;
      text = text.slice(found + START.length);
      at = 0;
    }
    yield* this.#events(text, at);
  }

  *#events(text: string, from: number): Generator<string> {
    let start = this.#depth > 0 ? 0 : -1;
    for (let at = from; at < text.length; at += 1) {
      const step = this.#step(text.charCodeAt(at));
      if (step === 'opens') start = at;
      else if (step === 'ends') {
        if (this.#tooLong || at + 1 - start > this.longest) this.skipped += 1;
        else yield text.slice(start, at + 1);
        this.#tooLong = false;
        start = -1;
      } else if (step === 'over') {
        this.#over = true;
        break;
      }
    }
    this.#hold(start < 0 || this.#over ? '' : text.slice(start));
  }

  /** The effect of one character: an event begins or ends, the list is over, or none of these. */
  #step(code: number): 'opens' | 'ends' | 'over' | undefined {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#inText = false;
      return undefined;
    }
    if (code === QUOTE) this.#inText = true;
    else if (code === OPEN) return this.#depth++ === 0 ? 'opens' : undefined;
    else if (code === CLOSE) return --this.#depth === 0 ? 'ends' : undefined;
    else if (code === END && this.#depth === 0) return 'over';
    return undefined;
  }

  #hold(rest: string): void {
    if (rest.length > this.longest) this.#tooLong = true;
    // A skipped event is not buffered; its end is found all the same.
    this.#rest = this.#tooLong ? '' : rest;
  }
}
