const SEAM = '\u2005';
const HAN = /[\p{Script=Han}：“”，。]/u;
/** A space beside an argument, in messages that are whole sentences: `点击了 {target}`. */
const BESIDE_VALUE = / (?=\{(?:what|target|value|place|name|url)\})|(?<=\{(?:who|role|name)\}) /gu;

/** Marks the spaces beside arguments, for `closeValueGaps`. */
export function markValueGaps<T extends Readonly<Record<string, string>>>(
  messages: T,
): { readonly [K in keyof T]: string };
export function markValueGaps(messages: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, text.replace(BESIDE_VALUE, SEAM)]));
}

/** Resolves the marked spaces of a sentence: none between two Chinese words, a space otherwise. */
export function closeValueGaps(sentence: string): string {
  return sentence.split(SEAM).reduce((before, after) => {
    const [last = '', first = ''] = [[...before].at(-1), [...after][0]];
    return `${before}${HAN.test(last) && HAN.test(first) ? '' : ' '}${after}`;
  });
}
