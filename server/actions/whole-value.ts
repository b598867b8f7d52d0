import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import type { PageElement } from '@/server/browser/target/element';
import type { ElementFacts } from '@/server/browser/target/page/facts';
import type { ElementContext } from './resolved-target';
import type { HandlerResult } from './context';

/**
 * How the values of inputs that are set as a whole are written. Source: HTML standard, input element, value
 * sanitization.
 */
const FORMS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '13:45',
  'datetime-local': '2026-01-31T13:45',
  month: '2026-01',
  week: '2026-W05',
  color: '#1a2b3c',
  range: '42',
};

const KEYLESS: ReadonlySet<string> = new Set(['color', 'range']);

const answer = z.object({ value: z.string(), refused: z.boolean() });

/**
 * Sets a date, time, colour or range with the events of a change: what its keys do depends on the locale. Throws
 * BAD_REQUEST for a value of another form.
 */
export async function setWhole(
  { write, budget }: ElementContext,
  element: PageElement,
  facts: ElementFacts,
  text: string,
): Promise<HandlerResult> {
  await element.fenced(write)('DOM.focus', { objectId: element.objectId });
  const { value, refused } = await element.change(budget, write, answer, 'forms', 'setValue', { value: text });
  if (refused) throw wrongForm(facts.type, text);
  const why = KEYLESS.has(facts.type)
    ? 'no keys write in such a field'
    : `keys in a ${facts.type} field depend on the locale`;
  const warnings = [`Set as a value with input and change events: ${why}.`];
  if (value.toLowerCase() !== text.toLowerCase()) warnings.push(`The field made ${JSON.stringify(value)} of it.`);
  return { via: element.via, warnings };
}

function wrongForm(type: string, text: string): WheelhouseError {
  const example = FORMS[type];
  const cure = example === undefined ? '' : ` Write it like ${example}.`;
  return new WheelhouseError(
    'BAD_REQUEST',
    `A ${type} field does not take ${JSON.stringify(text.slice(0, 60))}.${cure}`,
    {
      details: { fields: [{ field: 'text', problem: `is not a ${type}` }] },
    },
  );
}
