export interface ListOption {
  readonly value: string;
  readonly label: string;
  readonly disabled: boolean;
}

export type ChooseBy = 'auto' | 'value' | 'label' | 'index';

export type OptionMatch = { readonly indexes: number[] } | { readonly missing: string } | { readonly disabled: string };

/**
 * Finds the requested options, each by value, by label, by index from 0, or by the first of these that fits (`auto`:
 * exact value, exact label, label ignoring case and spaces). A disabled option is not chosen.
 */
export function matchOptions(options: readonly ListOption[], wanted: readonly string[], by: ChooseBy): OptionMatch {
  const indexes: number[] = [];
  for (const want of wanted) {
    const index = find(options, want, by);
    const option = options[index];
    if (!option) return { missing: want };
    if (option.disabled) return { disabled: want };
    indexes.push(index);
  }
  return { indexes };
}

function find(options: readonly ListOption[], want: string, by: ChooseBy): number {
  switch (by) {
    case 'value':
      return options.findIndex((option) => option.value === want);
    case 'label':
      return byLabel(options, want);
    case 'index':
      return /^\d{1,6}$/.test(want) ? Number(want) : -1;
    case 'auto':
      return firstFound(
        () => find(options, want, 'value'),
        () => byLabel(options, want),
      );
  }
}

function byLabel(options: readonly ListOption[], want: string): number {
  return firstFound(
    () => options.findIndex((option) => option.label === want),
    () => options.findIndex((option) => plain(option.label) === plain(want)),
  );
}

function firstFound(...ways: (() => number)[]): number {
  for (const way of ways) {
    const index = way();
    if (index >= 0) return index;
  }
  return -1;
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLocaleLowerCase('en');
}
