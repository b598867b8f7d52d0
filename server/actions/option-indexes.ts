import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { matchOptions, type ListOption } from '@/lib/input/options';
import { cleanText } from '@/lib/text/clean';
import type { PageElement } from '@/server/browser/target/element';

const MOST_LISTED = 30;

/** Indexes of what was asked for. Throws BAD_REQUEST listing the options, DISABLED for one that is. */
export function optionIndexes(
  element: PageElement,
  options: readonly ListOption[],
  { values, by }: Pick<ActionOf<'select'>, 'values' | 'by'>,
): number[] {
  const matched = matchOptions(options, values, by ?? 'auto');
  if ('indexes' in matched) return matched.indexes;
  const details = {
    options: options
      .slice(0, MOST_LISTED)
      .map(({ value, label }) => ({ value: cleanText(value, 100), label: cleanText(label, 100) })),
    count: options.length,
  };
  if ('disabled' in matched)
    throw new WheelhouseError(
      'DISABLED',
      `The option ${JSON.stringify(matched.disabled)} of ${element.title} is disabled.`,
      { details },
    );
  const names = details.options
    .slice(0, 10)
    .map(({ label, value }) => JSON.stringify(label || value))
    .join(', ');
  const more = options.length > 10 ? ` and ${options.length - 10} more` : '';
  throw new WheelhouseError(
    'BAD_REQUEST',
    `${element.title} has no option ${JSON.stringify(matched.missing.slice(0, 100))}. It has ${options.length === 0 ? 'none' : `${names}${more}`}.`,
    {
      hint: 'Use one of the options in details, by label or by value.',
      details: { ...details, fields: [{ field: 'values', problem: 'names an option that is not there' }] },
    },
  );
}

export function tooMany(element: PageElement): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `${element.title} takes one option only.`, {
    details: { fields: [{ field: 'values', problem: 'has more than one' }] },
  });
}
