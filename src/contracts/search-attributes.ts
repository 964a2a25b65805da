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

export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;
