import type { Area } from './tools';

/** The compiler rejects a list that differs from the type. */
const IS_AREA: Readonly<Record<Area, true>> = {
  tools: true,
  workflow: true,
  agent: true,
  intent: true,
  memory: true,
  'memory-chat': true,
  records: true,
};
export const AREAS = Object.keys(IS_AREA) as [Area, ...Area[]];

/**
 * Custom search attributes of every run, by which the list in the Temporal UI can be filtered. A server on SQLite has
 * room for ten Keyword and three KeywordList attributes.
 */
export const SEARCH_ATTRIBUTES = {
  HoldfastArea: 'KEYWORD',
  HoldfastUser: 'KEYWORD',
  HoldfastSession: 'KEYWORD',
  HoldfastWaiting: 'KEYWORD',
  HoldfastRerunOf: 'KEYWORD',
  HoldfastTools: 'KEYWORD_LIST',
  HoldfastFailedTools: 'KEYWORD_LIST',
} as const;

export type SearchAttribute = keyof typeof SEARCH_ATTRIBUTES;

/**
 * Attributes that came after the others. A server whose administrator has not added them yet is used without them, and
 * with all others.
 */
export const LATER_ATTRIBUTES: ReadonlySet<SearchAttribute> = new Set([
  'HoldfastWaiting',
  'HoldfastRerunOf',
] as const);

/** What a run waits for: the value of `HoldfastWaiting`. */
export type WaitingFor = 'earlier-turn' | 'approval';

/** Stays below 2,048 bytes, the longest value that a server on SQLite or SQL accepts. */
const VALUE_LENGTH = 1_900;

/** Selects names for a KeywordList: each once, up to the length that one value may have. Pure. */
export function fitNames(names: readonly string[]): string[] {
  const fittingNames: string[] = [];
  let length = 0;
  for (const name of new Set(names)) {
    length += name.length + 3;
    if (length > VALUE_LENGTH) break;
    fittingNames.push(name);
  }
  return fittingNames;
}
