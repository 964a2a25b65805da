import { spend } from '../allowance';
import { isQuestion, sentencesOf } from '../recall/clauses';
import { AUXILIARIES, verbOf } from '../recall/verbs';
import { toWords, type Word } from '../recall/words';
import { isCommonNoun } from './topics';
import { ARTICLES, MORE_VERBS, NO_NOUN, PREPOSITIONS } from './words';

/** As much of a message as is read: characters, words of a sentence, clauses. */
const MAX_READ = 4_000;
const MAX_WORDS = 120;
const MAX_CLAUSES = 40;

/** A clause of a message, with its place in it. */
export interface Clause {
  readonly words: readonly Word[];
  readonly lowers: readonly string[];
  /** The words in lower case with spaces between them and around. */
  readonly text: string;
  /** The number of its sentence. */
  readonly sentence: number;
  /** True where its sentence asks: it states nothing, but may mention what a later one is about. */
  readonly asks: boolean;
  /** Where its verb stands; after the last word where it has none. */
  readonly verb: number;
  readonly start: number;
  readonly end: number;
}

const CUTS = new Set('; : – — ( ) . ! ? …'.split(' '));
const JOINS = new Set([
  ...CUTS,
  ...', - and but so because while whereas though although who which plus then'.split(' '),
]);
const SUBJECTS = new Set(
  "i we he she it they my our his her their that's that there this mine hers".split(' '),
);

/** Work of one word, for its clause and all that is found in it. */
const WORD_COST = 8;

/** The clauses of a message, in order. */
export function clausesOf(message: string): Clause[] {
  const source = message.slice(0, MAX_READ);
  return sentencesOf(source)
    .flatMap((tokens, sentence) => {
      const asks = isQuestion(tokens) && !tokens.some(({ lower }) => lower === 'now');
      const read = toWords(tokens.slice(0, MAX_WORDS));
      spend(WORD_COST * read.length);
      return split(read).flatMap((words) => {
        const [first, last] = [words[0]?.token, words.at(-1)?.token];
        if (!first || !last) return [];
        const lowers = words.map(({ lower }) => lower);
        const text = ` ${lowers.join(' ')} `;
        return {
          words,
          lowers,
          text,
          sentence,
          asks,
          verb: verbAt(words),
          start: first.start,
          end: last.end,
        };
      });
    })
    .slice(0, MAX_CLAUSES);
}

function split(words: readonly Word[]): Word[][] {
  const parts: Word[][] = [[]];
  words.forEach((word, at) => {
    const { lower, token } = word;
    const current = parts.at(-1) ?? [];
    const isHyphen = lower === '-' && words[at - 1]?.token.end === token.start;
    const mayCut = JOINS.has(lower) && token.kind !== 'quoted' && !isHyphen;
    if (
      mayCut &&
      (CUTS.has(lower) ||
        (current.some(isVerb) && beginsStatement(words, at + 1)) ||
        (lower !== 'and' && beginsAnew(words, at + 1)))
    )
      parts.push([]);
    else if (/^(?:i|we)$/.test(lower) && current.some(isVerb) && beginsHere(words, at)) parts.push([word]);
    else if (!(mayCut && current.length === 0)) current.push(word);
  });
  for (const part of parts) while (JOINS.has(part.at(-1)?.lower ?? '')) part.pop();
  return parts;
}

/** True where a subject or a verb follows, so that a new clause begins. */
function beginsStatement(words: readonly Word[], begin: number): boolean {
  let at = begin;
  while (JOINS.has(words[at]?.lower ?? '') || ADVERB.test(words[at]?.lower ?? '')) at++;
  const first = words[at];
  if (!first || SUBJECTS.has(first.lower) || isVerb(first)) return true;
  if (words[at + 1]?.lower === ',' && words[at + 2]?.lower === 'who') return true;
  const rest = words.slice(at + 1, at + 6);
  const stop = rest.findIndex(({ lower }) => lower === ',' || lower === 'and' || lower === '.');
  return rest
    .slice(0, stop === -1 ? undefined : stop)
    .some((word) => word.lower === "'s" || (isVerb(word) && !word.lower.endsWith('ing')));
}

/** True for a subject right after a noun: `while the van was in for its MOT I got boots`. */
function beginsHere(words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  return (
    before !== undefined &&
    before.token.kind === 'word' &&
    !NO_NOUN.has(before.lower) &&
    !PREPOSITIONS.has(before.lower) &&
    !isVerb(before)
  );
}

/** True where a pronoun and its verb follow. */
function beginsAnew(words: readonly Word[], at: number): boolean {
  return (
    /^(?:i|we|he|she|it|they)$/.test(words[at]?.lower ?? '') &&
    /^(?:am|is|are|'s|have|has|was|do|got)$/.test(words[at + 1]?.lower ?? '')
  );
}

export const HELPER = /^(?:am|is|are|'s|was|were|been|have|has)$/;
const ADVERB =
  /^(?:now|then|also|just|still|even|finally|sadly|luckily|well|actually|already|instead|having|since|recently)$/;

/** True for a word that is known as a verb, or looks like one. */
export function isVerb({ lower, token }: Word): boolean {
  if (token.kind !== 'word' || PREPOSITIONS.has(lower)) return false;
  if (AUXILIARIES.has(lower)) return lower !== 'to';
  if (NO_NOUN.has(lower)) return false;
  if (MORE_VERBS.has(lower) || (/\p{L}{3}ed$/u.test(lower) && !isCommonNoun(lower))) return true;
  return verbOf(lower) !== undefined && (/ed$|ing$/.test(lower) || !/^\p{Lu}/u.test(token.text));
}

function verbAt(words: readonly Word[]): number {
  let at = words.findIndex((word, place) => {
    const before = words[place - 1]?.lower ?? '';
    if (word.lower === "'s") return place > 0 && !isPossessive(words, place);
    if (/^(?:i|we|he|she|they)$/.test(before)) return !NO_NOUN.has(word.lower) || isVerb(word);
    return (
      isVerb(word) &&
      !PREPOSITIONS.has(before) &&
      !(ARTICLES.has(before) && before !== 'that') &&
      before !== "'s"
    );
  });
  // Of `I am still studying law` the verb is studying.
  while (at !== -1 && HELPER.test(words[at]?.lower ?? '')) {
    let next = at + 1;
    while (
      ADVERB.test(words[next]?.lower ?? '') ||
      /^(?:not|been|always|only)$/.test(words[next]?.lower ?? '')
    )
      next++;
    const form = words[next];
    if (!form || !/ing$|ed$/.test(form.lower) || !isVerb(form)) break;
    at = next;
  }
  return at === -1 ? words.length : at;
}

/** `my brother's Tacoma got totaled` against `my hair's auburn`. */
function isPossessive(words: readonly Word[], at: number): boolean {
  if (
    /^\p{Lu}/u.test(words[at + 1]?.token.text ?? '') &&
    /^\p{Lu}/u.test(words[at - 1]?.token.text ?? '') &&
    at > 1
  )
    return true;
  const rest = words.slice(at + 1, at + 5);
  const verb = rest.findIndex(
    (word) => isVerb(word) && !word.lower.endsWith('ing') && !/ed$/.test(word.lower),
  );
  const stop = rest.findIndex(
    ({ lower }) => lower === ',' || ARTICLES.has(lower) || NO_NOUN.has(lower) || PREPOSITIONS.has(lower),
  );
  return verb === -1 ? rest[1]?.lower === "'s" : verb > 0 && (stop === -1 || stop >= verb);
}
