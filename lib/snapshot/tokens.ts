/**
 * An estimate of what a text costs a language model, in tokens (SN7). Snapshot lines are short words, digits and
 * brackets: tokenizers average about three ASCII characters a token on them, and about one token for each character
 * outside ASCII.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) wide += 1;
  }
  return Math.ceil((text.length - wide) / 3 + wide);
}
