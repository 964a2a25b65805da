import irregular from './lexicon/irregular.json';

const VERBS: ReadonlyMap<string, string> = new Map(Object.entries(irregular.verbs));
const NOUNS: ReadonlyMap<string, string> = new Map(Object.entries(irregular.nouns));

/** The base form of an irregular verb, `drove` is `drive`; any other word as it is. */
export function baseForm(word: string): string {
  return VERBS.get(word) ?? word;
}

/** The base forms that a verb may have, for a dictionary to choose from: `copied` is `copy`. Of `gave_up`, `give_up`. */
export function verbBases(word: string): readonly string[] {
  const [verb = '', ...particle] = word.split('_');
  const tail = particle.map((one) => `_${one}`).join('');
  const found = [baseForm(verb), verb];
  if (/ie[sd]$/.test(verb)) found.push(`${verb.slice(0, -3)}y`);
  if (verb.endsWith('ing')) found.push(verb.slice(0, -3), `${verb.slice(0, -3)}e`, verb.slice(0, -4));
  if (verb.endsWith('ed')) found.push(verb.slice(0, -2), verb.slice(0, -1), verb.slice(0, -3));
  if (verb.endsWith('es')) found.push(verb.slice(0, -2));
  if (verb.endsWith('s')) found.push(verb.slice(0, -1));
  return found.map((one) => one + tail);
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
  if (singular(noun) !== noun) return noun;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** `sending` of `send`, `getting` of `get`. */
export function gerundOf(verb: string): string {
  return `${verb.replace(/^([^aeiou]+[aeiou])([tp])$/, '$1$2$2').replace(/e$/, '')}ing`;
}
