/**
 * Splits tokens into as few pieces of at most `limit` tokens as possible. All pieces have nearly the same length, because a short
 * last piece would give a poor vector. Without tokens the result is one empty piece, to which the model adds its special tokens.
 */
export function splitIntoPieces(tokens: readonly number[], limit: number): number[][] {
  const count = Math.max(1, Math.ceil(tokens.length / limit));
  return Array.from({ length: count }, (_, at) =>
    tokens.slice(Math.floor((at * tokens.length) / count), Math.floor(((at + 1) * tokens.length) / count)),
  );
}
