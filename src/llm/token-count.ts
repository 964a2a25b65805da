const WORD_OR_MARK = /[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu;

/**
 * About how many tokens a language model would count in a text. Deterministic and the same for every provider: each
 * word and each punctuation mark is one, and a word longer than four characters is one for every four begun.
 */
export function countTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(WORD_OR_MARK)) count += Math.max(1, Math.ceil(piece.length / 4));
  return count;
}
