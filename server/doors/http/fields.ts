import { z } from 'zod';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { reservedName, unreservedName } from '@/lib/text/reserved-name';

/** Path and query fields that several routes share. The schemas convert the text of query values. */

const id = z.string().min(1).max(200);
/** An id in a path or body. */
export const idSchema = id;
export const sessionParams = z.strictObject({ s: id });
export const tabParams = z.strictObject({ s: id, t: id });

export const flag = z
  .enum(['1', '0', 'true', 'false', ''])
  .transform((text) => text === '1' || text === 'true' || text === '');
export const count = (most: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().max(most));
/** Comma-separated words; an empty text gives an empty list. */
export const names: z.ZodType<string[], string> = z
  .string()
  .max(3_000)
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
export const timeoutText = count(BUDGET_LIMITS.maxMs).pipe(z.number().min(BUDGET_LIMITS.minMs));

export const viewportSchema = z.strictObject({
  width: z.int().min(100).max(8_192),
  height: z.int().min(100).max(8_192),
});
export const nameSchema = reservedName(120);
/** The name of a key and of the agents that use it. */
export const keyNameSchema = unreservedName(120);
/** The name of a person. */
export const personNameSchema = unreservedName(120);
/** A new password. */
export const newPasswordSchema = z.string().min(10).max(200);
const binary = z.string().min(1).max(100_000);
/** Of the answer of `navigator.credentials` in the browser, as JSON, what the server reads. */
const credential = { id: binary, rawId: binary, type: z.literal('public-key'), clientExtensionResults: z.object({}) };
export const newPasskeySchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    attestationObject: binary,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export const passkeyProofSchema = z.object({
  ...credential,
  response: z.object({ clientDataJSON: binary, authenticatorData: binary, signature: binary }),
});
/** An e-mail address as it is stored. */
export const emailSchema = z
  .email()
  .max(254)
  .toLowerCase()
  // Those of people without an address end so in the store.
  .refine((email) => !email.endsWith('.invalid'), 'is no address that can exist');
export const urlSchema = z.string().trim().min(1).max(2_048);

/** A code of an authenticator app, or a recovery code. People copy codes with spaces. */
export const codeSchema = z
  .string()
  .max(40)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().min(1));
/** Which rows of a timeline or log are wanted. */
export const rowFilter = {
  since: count(1_000_000_000).optional(),
  before: count(1_000_000_000).optional(),
  q: z.string().max(200).optional(),
  actor: z.string().max(200).optional(),
  kind: z.string().max(60).optional(),
  limit: count(10_000).optional(),
};
/** The default number of rows in an answer. */
export const FEW_ROWS = 500;
export const JSON_LINES = 'application/x-ndjson';
