/**
 * Estimates how many tokens of a language model a text takes (SN7). Snapshot lines are short words, digits and
 * brackets; tokenizers need about one token for three ASCII characters of those and about one for each other character.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) wide += 1;
  }
  return Math.ceil((text.length - wide) / 3 + wide);
}
