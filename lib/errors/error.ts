import { z } from 'zod';
import { optionalMessageSchema, type Message } from '@/lib/messages/message';
import { formatMessage, type FormattedMessage } from '@/lib/messages/format';
import { ERROR_TABLE, isErrorCode, type ErrorCode, type Retry } from './codes';

/** A failure as every door sends it (AC8). */
export const wireErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  retry: z.enum(['no', 'after-snapshot', 'later']),
  details: z.record(z.string(), z.unknown()).optional(),
  /** `message` as data, where it has words in every language of the interface. */
  said: optionalMessageSchema,
  /** `hint` likewise. */
  cure: optionalMessageSchema,
});
export type WireError = z.infer<typeof wireErrorSchema>;

export interface ErrorOptions {
  /** Plain data for the caller; never secrets, never stacks. */
  readonly details?: Record<string, unknown> | undefined;
  /** Replaces the table's hint where a better one is known. */
  readonly hint?: string | Message;
  /** Replaces the table's. */
  readonly retry?: Retry;
  readonly cause?: unknown;
}

/**
 * The only error class that callers of another layer handle. Any other error is a fault of ours and becomes INTERNAL.
 */
export class WheelhouseError extends Error {
  override readonly name = 'WheelhouseError';
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retry: Retry;
  readonly details: Record<string, unknown> | undefined;
  readonly said: Message | undefined;
  readonly cure: Message | undefined;

  /** @param message what happened, naming the thing; as data where people meet it in the interface */
  constructor(code: ErrorCode, message: string | Message, options: ErrorOptions = {}) {
    const what = sentence(message);
    const hint = sentence(options.hint ?? ERROR_TABLE[code].hint);
    super(what.text, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.said = what.said;
    this.hint = hint.text;
    this.cure = hint.said;
    this.retry = options.retry ?? ERROR_TABLE[code].retry;
    this.details = options.details;
  }

  get status(): number {
    return ERROR_TABLE[this.code].status;
  }
}

/**
 * Converts anything thrown to a WheelhouseError. The text of a fault of ours stays in `cause` only, out of callers'
 * sight.
 */
export function asWheelhouseError(thrown: unknown): WheelhouseError {
  if (thrown instanceof WheelhouseError) return thrown;
  return new WheelhouseError('INTERNAL', 'Something went wrong in the server.', { cause: thrown });
}

export function toWire(thrown: unknown): WireError {
  const { code, message, hint, retry, details, said, cure } = asWheelhouseError(thrown);
  return { code, message, hint, retry, ...(details && { details }), ...(said && { said }), ...(cure && { cure }) };
}

/** The inverse, for clients: an unknown code of a newer server stays readable as INTERNAL. */
export function fromWire(wire: WireError): WheelhouseError {
  const { code, message, hint, details, said = message, cure = hint } = wire;
  if (isErrorCode(code)) return new WheelhouseError(code, said, { hint: cure, details });
  return new WheelhouseError('INTERNAL', said, { hint: cure, details: { ...details, code } });
}

function sentence(words: string | Message): FormattedMessage | { readonly said: undefined; readonly text: string } {
  return typeof words === 'string' ? { said: undefined, text: words } : formatMessage(words);
}

/** The message of anything thrown, for logs and causes. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
