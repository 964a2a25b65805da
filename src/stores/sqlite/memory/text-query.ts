import { queryWords } from '../../memory/query-words';

/**
 * Builds the FTS5 expression that finds texts with any of the words; undefined if the query has no word. Each word is a
 * quoted string of letters and digits, so FTS5 never reads it as syntax.
 */
export function buildMatchExpression(query: string): string | undefined {
  const words = queryWords(query);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(' OR ');
}
