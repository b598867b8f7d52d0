const SEAM = '\u2005';
const HAN = /[\p{Script=Han}：“”，。]/u;
/** A space beside what is filled in, in the messages that hold whole sentences: `点击了 {target}`. */
const BESIDE_VALUE = / (?=\{(?:what|target|value|place|name|url)\})|(?<=\{(?:who|role|name)\}) /gu;

/** The messages with their spaces beside what is filled in marked, for `closeValueGaps`. */
export function markValueGaps<T extends Readonly<Record<string, string>>>(
  messages: T,
): { readonly [K in keyof T]: string };
export function markValueGaps(messages: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, text.replace(BESIDE_VALUE, SEAM)]));
}

/** A sentence as it is written: no space between two Chinese words, one beside all others. */
export function closeValueGaps(sentence: string): string {
  return sentence.split(SEAM).reduce((before, after) => {
    const [last = '', first = ''] = [[...before].at(-1), [...after][0]];
    return `${before}${HAN.test(last) && HAN.test(first) ? '' : ' '}${after}`;
  });
}
