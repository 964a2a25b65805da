/** Up to four letters or digits of one word, or a single mark of any other kind. */
const PIECE = /[\p{L}\p{M}\p{N}]{1,4}|[^\s\p{L}\p{M}\p{N}]/gu;

/**
 * Estimates the number of tokens in a text, the same for the same text everywhere: every word counts one for each four
 * characters or part of them, every punctuation mark or symbol counts one, white space counts nothing. For English
 * prose the estimate is within about a fifth of what the tokenizers of current models count. It is used where no
 * provider has counted.
 */
export function countTokens(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(PIECE)) count += 1;
  return count;
}
