import { z } from 'zod';
import { envelopeFields, globSchema, refSchema } from '../shared';

/** What can be waited for. */

const conditionFields = {
  timeMs: z.int().min(0).max(30_000).optional(),
  /**
   * Letter case and the white space between words do not count, here and in `textGone`: CSS shows a text otherwise than
   * the source has it.
   */
  text: z.string().min(1).max(1_000).optional(),
  textGone: z.string().min(1).max(1_000).optional(),
  selector: z.string().min(1).max(2_000).optional(),
  ref: refSchema.optional(),
  /** With `name` and `nth`, as targets of other actions; it need not be there yet. */
  role: z.string().min(1).max(80).optional(),
  name: z.string().max(1_000).optional(),
  nth: z.int().min(0).max(10_000).optional(),
  state: z.enum(['attached', 'detached', 'visible', 'hidden', 'enabled', 'disabled']).optional(),
  url: z.string().min(1).max(2_048).optional(),
  loadState: z.enum(['domcontentloaded', 'load', 'networkidle']).optional(),
  fn: z.string().min(1).max(100_000).optional(),
  stable: z.strictObject({ quietMs: z.int().min(50).max(10_000) }).optional(),
  /**
   * A response from now on whose address fits the glob; `since`, the `next` of GET …/requests, counts those that came
   * after it too.
   */
  response: z
    .strictObject({
      url: globSchema,
      status: z.int().min(100).max(599).optional(),
      since: z.int().nonnegative().optional(),
    })
    .optional(),
} as const;

export const CONDITION_KEYS = [
  'timeMs',
  'text',
  'textGone',
  'selector',
  'ref',
  'role',
  'url',
  'loadState',
  'fn',
  'stable',
  'response',
] as const;

const condition = z
  .strictObject(conditionFields)
  .check(nameGoesWithRole)
  .check((context) => {
    const given = CONDITION_KEYS.filter((key) => context.value[key] !== undefined);
    if (given.length === 1) return;
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: [],
      message: `needs exactly one of ${CONDITION_KEYS.join(', ')}`,
    });
  });

function nameGoesWithRole({
  value,
  issues,
}: z.core.ParsePayload<{ role?: string | undefined; name?: string | undefined; nth?: number | undefined }>): void {
  if (value.role !== undefined) return;
  for (const field of ['name', 'nth'] as const)
    if (value[field] !== undefined)
      issues.push({ code: 'custom', input: value, path: [field], message: 'goes with "role"' });
}

export type WaitCondition = z.infer<typeof condition>;

const conditions = z.array(condition).min(1).max(10);
export const wait = z
  .strictObject({
    kind: z.literal('wait'),
    ...envelopeFields,
    ...conditionFields,
    all: conditions.optional(),
    any: conditions.optional(),
  })
  .check(nameGoesWithRole)
  .check((context) => {
    const { all, any } = context.value;
    const flat = CONDITION_KEYS.some((key) => context.value[key] !== undefined);
    if ([all !== undefined, any !== undefined, flat].filter(Boolean).length === 1) return;
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: ['all'],
      message: `or "any" must be given, and only one of them; or, instead, any of ${CONDITION_KEYS.join(', ')}`,
    });
  });
