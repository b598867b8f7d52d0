import { z } from 'zod';
import { COUNTRIES, DELIVERIES, deliveryDays, isDay } from '@/server/demo/shop/delivery';

const line = (missing: string) => z.string().trim().min(1, missing).max(120, 'Please keep this under 120 characters');

const ticked = z.literal('yes');

/** The checkout form as the server accepts it; its messages are for the person who fills it in. */
const fieldsSchema = z.object({
  fullName: line('Enter your full name'),
  email: z.email('Enter an email address like name@example.org').max(120, 'Please keep this under 120 characters'),
  street: line('Enter your street and house number'),
  city: line('Enter your town or city'),
  postcode: line('Enter your postcode'),
  country: z.string().refine((code) => COUNTRIES.some((country) => country.code === code), 'Choose a country'),
  delivery: z.enum(
    DELIVERIES.map(({ id }) => id),
    'Choose how we should deliver',
  ),
  deliveryDate: z.string().refine(isDay, 'Choose a delivery date'),
  cardNumber: z
    .string()
    .transform((text) => text.replace(/[\s-]/g, ''))
    .refine(isCardNumber, 'Check the card number: try 4242 4242 4242 4242'),
  cardExpiry: z
    .string()
    .trim()
    .regex(/^(0[1-9]|1[0-2])\s*\/\s*\d{2}$/, 'Enter the expiry date as MM/YY'),
  cardCode: z
    .string()
    .trim()
    .regex(/^\d{3,4}$/, 'Enter the three or four digits on the back'),
  cardNote: z.string().trim().max(300, 'Please keep this under 300 characters'),
  gift: ticked.optional(),
  terms: z.literal('yes', 'Please agree to the terms of sale'),
});

export type CheckoutFields = z.infer<typeof fieldsSchema>;
export type FieldName = keyof CheckoutFields;

/** The typed values, to be shown again; card data is never sent back. */
export type Typed = Readonly<Partial<Record<FieldName, string>>>;
export type Problems = ReadonlyMap<FieldName, string>;

export type Checked =
  | { readonly ok: true; readonly fields: CheckoutFields }
  | { readonly ok: false; readonly problems: Problems };

/** Validates a form by the shop's rules on the day `now`; one message per field, in the order of the form. */
export function checkCheckout(sent: Readonly<Record<string, string>>, now: Date): Checked {
  const blank = Object.fromEntries(
    FIELD_NAMES.filter((name) => name !== 'gift' && name !== 'terms').map((name) => [name, '']),
  );
  const parsed = fieldsSchema.safeParse({ ...blank, ...sent });
  const late = lateProblems(sent, now);
  if (parsed.success && late.size === 0) return { ok: true, fields: parsed.data };
  const found = new Map<FieldName, string>(late);
  for (const issue of parsed.error?.issues ?? []) {
    const name = fieldName(issue.path[0]);
    if (name !== undefined) found.set(name, issue.message);
  }
  return { ok: false, problems: inFormOrder(found) };
}

/** Problems that depend on today's date. */
function lateProblems(sent: Readonly<Record<string, string>>, now: Date): Problems {
  const problems = new Map<FieldName, string>();
  const { first, last } = deliveryDays(now);
  const day = sent['deliveryDate'] ?? '';
  if (isDay(day) && (day < first || day > last))
    problems.set('deliveryDate', 'We deliver from tomorrow and up to 90 days ahead');
  const [month = '', year = ''] = (sent['cardExpiry'] ?? '').split('/').map((part) => part.trim());
  if (`20${year}-${month}` < now.toISOString().slice(0, 7)) problems.set('cardExpiry', 'This card has expired');
  return problems;
}

export const FIELD_NAMES = fieldsSchema.keyof().options;

function fieldName(key: PropertyKey | undefined): FieldName | undefined {
  return FIELD_NAMES.find((name) => name === key);
}

function inFormOrder(problems: Problems): Problems {
  return new Map([...problems].toSorted(([a], [b]) => FIELD_NAMES.indexOf(a) - FIELD_NAMES.indexOf(b)));
}

/** The Luhn check that every payment card passes (ISO/IEC 7812-1). */
function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
