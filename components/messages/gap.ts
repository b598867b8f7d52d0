const HAN = /\p{Script=Han}/u;

/** What stands between two words of a line: nothing between two Chinese ones. */
export function gapBetween(before: string, after: string): '' | ' ' {
  const [last = '', first = ''] = [[...before].at(-1), [...after][0]];
  return HAN.test(last) && HAN.test(first) ? '' : ' ';
}
