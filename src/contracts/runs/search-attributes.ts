/**
 * Custom search attributes of every run, by which the Temporal UI's list is filtered. At most ten Keyword and
 * three KeywordList attributes fit a server on SQLite.
 */
export const SEARCH_ATTRIBUTES = {
  HoldfastArea: 'KEYWORD',
  HoldfastUser: 'KEYWORD',
  HoldfastSession: 'KEYWORD',
  HoldfastTools: 'KEYWORD_LIST',
  HoldfastFailedTools: 'KEYWORD_LIST',
} as const;

/** A server on SQLite or SQL refuses a value of more than 2,048 bytes. */
const VALUE_LENGTH = 1_900;

/** Names for a KeywordList: each once, and as many as one value holds. Pure. */
export function fitNames(names: readonly string[]): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const name of new Set(names)) {
    length += name.length + 3;
    if (length > VALUE_LENGTH) break;
    kept.push(name);
  }
  return kept;
}
