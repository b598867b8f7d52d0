import { z } from 'zod';
import type { Reply } from '@/lib/actions/reply';
import { maskedDeep } from '@/lib/text/mask';

/**
 * Longest reply that is kept whole, characters of JSON: a longer one is not kept in memory, and is stored without
 * `value` and `snapshot`.
 */
const MAX_KEPT_REPLY = 1_048_576;
/** Characters of all kept replies together; the oldest are dropped first. */
const MAX_KEPT = 16 * MAX_KEPT_REPLY;

/**
 * Kinds whose value is page content: it may hold anything that a signed-in page shows, so it is never written to a file
 * (SN6).
 */
const ANSWERED_BY_PAGES: ReadonlySet<string> = new Set([
  'evaluate',
  'extract',
  'snapshot',
  'screenshot',
  'pdf',
  'cookies',
  'storage',
  'wait',
]);

/** Replies for a repeat of the request: whole, in memory only, and no longer than they count (CO10). */
export class AnswerRepository {
  readonly #replies = new Map<string, { readonly json: string; readonly until: number }>();
  #size = 0;

  constructor(private readonly lifeMs: number) {}

  /** @param now milliseconds of the clock that decides how long replies count */
  keep(key: string, reply: Reply, now: number): void {
    this.forget(key);
    const json = JSON.stringify(reply);
    if (json.length > MAX_KEPT_REPLY) return;
    this.#replies.set(key, { json, until: now + this.lifeMs });
    this.#size += json.length;
    this.#prune(now);
  }

  /** The reply as JSON. */
  of(key: string, now: number): string | undefined {
    this.#prune(now);
    return this.#replies.get(key)?.json;
  }

  forget(key: string): void {
    this.#size -= this.#replies.get(key)?.json.length ?? 0;
    this.#replies.delete(key);
  }

  /** Drops replies that are too old, and the oldest while there are too many; the map keeps the order of insertion. */
  #prune(now: number): void {
    for (const [key, { until }] of this.#replies) {
      if (until > now && this.#size <= MAX_KEPT) return;
      this.forget(key);
    }
  }
}

const answerSchema = z.looseObject({ kind: z.string(), error: z.looseObject({ code: z.string() }).optional() });
const PLACE = { value: undefined, snapshot: undefined };

/**
 * The reply as it may be written to a file: without page content, also that of inner actions, which a warning says.
 * Addresses lose their secrets (SN6).
 */
export function storedReply(reply: Reply): string {
  const masked = maskedDeep(reply);
  const stored = JSON.stringify(masked, withoutPages);
  const whole = stored === JSON.stringify(masked);
  const told = whole
    ? stored
    : JSON.stringify({
        ...z.looseObject({}).parse(JSON.parse(stored)),
        warnings: [...reply.warnings, 'This answer was given before; what the page answered is not kept.'],
      });
  if (told.length <= MAX_KEPT_REPLY) return told;
  return JSON.stringify({
    ...z.looseObject({}).parse(masked),
    ...PLACE,
    warnings: [...reply.warnings, 'This answer was given before; its value and snapshot were too large to be kept.'],
  });
}

function withoutPages(_key: string, value: unknown): unknown {
  const answer = answerSchema.safeParse(value);
  if (!answer.success) return value;
  const { value: answered, snapshot, error, ...rest } = answer.data;
  const byPage = ANSWERED_BY_PAGES.has(rest.kind) && answered !== undefined;
  const threw = error?.code === 'EVAL_THREW';
  if (!byPage && !threw && snapshot === undefined) return value;
  return {
    ...rest,
    ...(byPage ? {} : { value: answered }),
    ...(error && {
      error: threw ? { ...error, message: 'The script threw; what it said is not kept.', details: undefined } : error,
    }),
  };
}
