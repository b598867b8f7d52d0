/** Sizes of the rings (PS1, security.md 1.8). */
export const RING_SIZES = { console: 500, errors: 200, requests: 500 } as const;
/** New entries of each ring that are kept in a second; more are counted. Each ring counts for itself: a page that logs much cannot crowd out its own errors. */
export const CAUGHT_PER_SECOND = 200;
/** Characters of one console line and of a stack. */
export const LINE_CHARS = 4_096;
export const URL_CHARS = 2_048;
/** Headers of one message, and characters of one value. */
export const MOST_HEADERS = 100;
export const HEADER_CHARS = 2_048;
