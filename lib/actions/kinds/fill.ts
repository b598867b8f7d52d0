import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printBrackets } from '@/lib/steps/brackets';
import { printRef, type Head } from '@/lib/steps/codec';
import { HIDDEN } from '../hidden';
import { count } from '../phrases';
import { isRecord, withNode } from '../rewrites';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

/**
 * One field of a form. `type`, such as `checkbox`, is what the caller believes it to be: it decides how the text "true"
 * is read.
 */
const field = z
  .strictObject({
    ...targetFields,
    value: z.union([z.string().max(10_000), z.number(), z.boolean()], {
      error: 'must be text, a number, true or false',
    }),
    type: z.string().max(40).optional(),
  })
  .check(checkTarget('element'));

const schema = z.strictObject({
  kind: z.literal('fill'),
  ...envelopeFields,
  fields: z.array(field).min(1).max(100),
  /** If one field cannot be filled, restore the former values of the others. */
  atomic: z.boolean().optional(),
});

type FillAction = z.output<typeof schema>;

export const fill = defineKind({
  schema,
  about: 'Fill the fields of a form: text, boxes and lists, all or none when asked.',
  timeoutMs: 30_000,
  access: 'write',
  example: {
    kind: 'fill',
    fields: [
      { ref: 'e12', value: 'Ada' },
      { ref: 'e34', value: true },
    ],
  },
  typed: ({ fields }) => fields.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  withVariables: (action, put) => withTexts(action, put),
  masked: (action) => withTexts(action, () => HIDDEN),
  verbs: {
    fill: '{way, select, doing {{self, select, yes {are} other {is}} filling in a form} failed {could not fill in a form} other {filled in a form}}',
  },
  sentence: ({ fields }) => `fill ${count(fields, 'field')}`,
  steps: {
    verbs: {
      fill: { usage: 'fill [12] [text] [34] [text], or fill fields=[{"ref":"e12","value":"text"}]', read },
    },
    print,
  },
  older: {
    fill: (fields) =>
      Array.isArray(fields['fields']) ? { ...fields, fields: fields['fields'].map(flatField) } : fields,
  },
});

function withTexts(action: FillAction, put: (text: string) => string): FillAction {
  const texts = action.fields.map((one) => (typeof one.value === 'string' ? { ...one, value: put(one.value) } : one));
  return { ...action, fields: texts };
}

/** Reads pairs of a ref and a text; other values are given by `fields=`. */
function read(args: ArgReader): void {
  if (args.isNamed('fields')) return;
  const fields: { ref: string; value: string }[] = [];
  do {
    const { ref } = args.ref('the number of a field');
    fields.push({ ref, value: args.next('the text for the field').text });
  } while (args.left > 0);
  args.set('fields', fields);
}

/** Prints pairs of a ref and a text if all fields are such pairs, else `fields=`. */
function print({ fields }: FillAction): Head {
  const pairs = fields.flatMap(({ ref, value, type }) =>
    ref === undefined || typeof value !== 'string' || type !== undefined
      ? []
      : [...printRef(ref), printBrackets(value)],
  );
  return pairs.length === fields.length * 2
    ? { verb: 'fill', args: pairs, said: ['fields'] }
    : { verb: 'fill', args: [], said: [] };
}

/** Converts `{target: {…}, value}` to `{ref, value}`. */
function flatField(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { target, ...rest } = given;
  return withNode(isRecord(target) ? { ...target, ...rest } : given);
}
