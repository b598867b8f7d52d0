/** Limits of a trace (PS5). */
export const TRACE_LIMITS = {
  /** How long a trace runs by default, milliseconds; then it stops by itself and its file is kept. */
  defaultMs: 30_000,
  minMs: 1_000,
  maxMs: 300_000,
  /** Size of Chrome's own buffer, kilobytes in Chrome's compact form; the file is about four times as large. */
  bufferKb: 32 * 1_024,
  /**
   * Share of the buffer at which the trace ends by itself. In a full buffer Chrome loses its own process's events about
   * the frames (measured, Chromium 156), without which no event may be given out. A busy page writes 8 MB a second.
   */
  full: 0.7,
  /** Largest file in bytes before compression; later events are left out, which is reported. */
  fileBytes: 100 * 1_048_576,
  /** One event, characters. The largest are pictures. */
  eventChars: 4 * 1_048_576,
} as const;
