import irregular from './lexicon/irregular.json';

const VERBS: ReadonlyMap<string, string> = new Map(Object.entries(irregular.verbs));
const NOUNS: ReadonlyMap<string, string> = new Map(Object.entries(irregular.nouns));
const PLURALS = new Map(Array.from(NOUNS, ([many, one]) => [one, many]));

/** The base form of an irregular verb, `drove` is `drive`; any other word as it is. */
export function baseForm(word: string): string {
  return VERBS.get(word) ?? word;
}

/** The singular of an English noun, by its ending where it is regular. */
export function singular(noun: string): string {
  const known = NOUNS.get(noun);
  if (known !== undefined) return known;
  if (noun.length < 4 || !noun.endsWith('s') || /(?:ss|us|is)$/.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return /(?:sh|ch|x|z|ss|o)es$/.test(noun) ? noun.slice(0, -2) : noun.slice(0, -1);
}

export function plural(noun: string): string {
  const known = PLURALS.get(noun);
  if (known !== undefined) return known;
  if (singular(noun) !== noun) return noun;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
