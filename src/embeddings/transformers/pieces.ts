/**
 * Cuts tokens into the fewest pieces of at most `limit`, all of nearly the same length: a last piece of a few tokens
 * would say little. No token gives one empty piece, for the model's own marks around it.
 */
export function piecesOf(tokens: readonly number[], limit: number): number[][] {
  const count = Math.max(1, Math.ceil(tokens.length / limit));
  return Array.from({ length: count }, (_, at) =>
    tokens.slice(Math.floor((at * tokens.length) / count), Math.floor(((at + 1) * tokens.length) / count)),
  );
}
