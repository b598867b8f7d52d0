import type { BufferLimits } from '@/lib/buffers/ring-buffer';

/** Sizes of the buffers (PS1). Each buffer has its own: a page that logs much cannot crowd out its own errors. */
export const BUFFER_LIMITS = {
  console: { keep: 500, perSecond: 200, latest: 100 },
  errors: { keep: 200, perSecond: 100, latest: 100 },
  requests: { keep: 500, perSecond: 200, latest: 100 },
} as const satisfies Readonly<Record<string, BufferLimits>>;
/** Most characters of one console line and of a stack. */
export const LINE_CHARS = 4_096;
export const URL_CHARS = 2_048;
/** Most headers of one message, and most characters of one value. */
export const MOST_HEADERS = 100;
export const HEADER_CHARS = 2_048;
