import { queryWords } from '../../memory/query-words';

/**
 * The FTS5 expression that finds texts with any of the words; undefined where there is no word. Each word is a
 * quoted string made of letters and digits, so that nothing in the query is taken for syntax.
 */
export function matchExpression(query: string): string | undefined {
  const words = queryWords(query);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(' OR ');
}
