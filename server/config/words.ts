/**
 * Splits a line into words as a shell would: single and double quotes keep spaces together. Undefined when a quote
 * stays open.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const letter of line) {
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else word = (word ?? '') + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + letter;
    }
  }
  if (word !== undefined) words.push(word);
  return quote === undefined ? words : undefined;
}
