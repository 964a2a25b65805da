import type { ToolDescription } from '../types';
import { isTypoOf } from '../text/edit-distance';
import { stem } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { isContrary } from './contrary';
import { findChoices, isSameThing } from './choices';
import { isWeak, meansSame } from './synonyms';
import { termsOf, type ToolTerms } from './tool-terms';

export interface RankedTool {
  readonly tool: ToolDescription;
  readonly score: number;
  /** Share of the tool's name that the sentence says, 0 to 1. */
  readonly nameCover: number;
  /** True where the sentence begins with what the tool does. */
  readonly leads: boolean;
}

/** Below this a sentence is not about the tool. */
export const RANK_THRESHOLD = 0.75;
/** A tool has to be this much better than the next. */
export const RANK_MARGIN = 0.08;

const WEAK_WEIGHT = 0.35;

interface QueryWord {
  readonly lower: string;
  readonly stem: string;
}

/** How much the words of a clause say that it is about a tool. */
export function rankTool(tokens: readonly Token[], tool: ToolDescription): RankedTool {
  return rankOne(queryWords(tokens), tokens, termsOf(tool));
}

/** Words, and tokens, past this many are free text rather than the request. */
const MAX_WORDS = 60;
const MAX_TOKENS = 150;

function queryWords(tokens: readonly Token[]): QueryWord[] {
  return tokens
    .filter(({ kind }) => kind === 'word' || kind === 'file' || kind === 'dotted')
    .slice(0, MAX_WORDS)
    .flatMap(({ lower }) => (lower.includes('-') ? [lower, ...lower.split('-')] : [lower]))
    .map((lower) => ({ lower, stem: stem(lower) }));
}

function rankOne(words: readonly QueryWord[], tokens: readonly Token[], terms: ToolTerms): RankedTool {
  const nameCover = coverName(words, terms);
  const content = words.filter(({ lower }) => !STOP_WORDS.has(lower));
  const described = hits(content, terms.description);
  const parameters = hits(content, terms.parameters);
  const enums = enumHits(tokens.slice(0, MAX_TOKENS), terms.tool);
  const isNoun = NOUN_MARKERS.has(words[words.findIndex((word) => word === content[0]) - 1]?.lower ?? '');
  const mismatch = (!isNoun && hasOtherVerb(content, terms)) || hasOtherObject(words, terms) ? 0.6 : 0;
  // `order 1234` alone does not ask to refund it.
  const unsaid = enums < 2 && !saysVerb(words, terms) ? 0.3 : 0;
  // With nothing of the tool's name or purpose, words of its parameters are coincidence, choices less so.
  const grounded = nameCover > 0.3 || described >= 2 || enums >= 2;
  const leads = leadsWithVerb(content, terms);
  if (!grounded || isContrary(tokens, terms)) return { tool: terms.tool, score: 0, nameCover, leads };
  const score =
    nameCover +
    0.25 * Math.min(described, 4) +
    0.12 * Math.min(parameters, 3) +
    (enums >= 2 ? 0.45 : 0.3) * Math.min(enums, 3) -
    mismatch -
    unsaid +
    (leads ? 0.35 : 0);
  return { tool: terms.tool, score, nameCover, leads };
}

/** Whether a word says what the tool does; what many tools do need not be said. */
function saysVerb(words: readonly QueryWord[], { verbs, nameWords }: ToolTerms): boolean {
  if (verbs.some(isWeak) || nameWords.length < 2) return true;
  return words.some(
    ({ lower, stem: own }) =>
      verbs.some((verb) => meansSame(own, verb)) || isTypoOf(lower, nameWords[0] ?? ''),
  );
}

const NOUN_MARKERS = new Set([
  'my',
  'the',
  'a',
  'an',
  'of',
  'for',
  'our',
  'your',
  'this',
  'that',
  'status',
  'on',
]);

/** `translate …` for a tool that translates. A verb that many tools share leads to none. */
function leadsWithVerb([first]: readonly QueryWord[], { verbs, nameWords }: ToolTerms): boolean {
  if (!first || isWeak(first.stem)) return false;
  return verbs.includes(first.stem) || isTypoOf(first.lower, nameWords[0] ?? '');
}

function coverName(words: readonly QueryWord[], { name, nameWords }: ToolTerms): number {
  let total = 0;
  let matched = 0;
  name.forEach((term, index) => {
    const weight = isWeak(term) ? WEAK_WEIGHT : 1;
    const word = nameWords[index] ?? '';
    total += weight;
    if (words.some(({ lower, stem: own }) => own === term || isTypoOf(lower, word))) matched += weight;
    else if (words.some(({ lower, stem: own }) => meansSame(own, term) || isSameThing(lower, word)))
      matched += weight * 0.9;
  });
  return total === 0 ? 0 : matched / total;
}

function hits(words: readonly QueryWord[], terms: ReadonlySet<string>): number {
  const found = new Set<string>();
  for (const { stem: own } of words) {
    if (terms.has(own)) found.add(own);
    else if (!isWeak(own) && [...terms].some((term) => !isWeak(term) && meansSame(own, term))) found.add(own);
  }
  return [...found].reduce((sum, own) => sum + (isWeak(own) ? 0.3 : 1), 0);
}

/** How many parameters with choices have one in the sentence; two parameters need two places. */
function enumHits(tokens: readonly Token[], tool: ToolDescription): number {
  const places = new Set<number>();
  const values = new Set<string>();
  let parameters = 0;
  for (const parameter of Object.values(tool.parameters)) {
    if (!parameter.enum) continue;
    const fresh = findChoices(tokens, parameter).find(
      ({ from, value }) => !places.has(from) && !values.has(value),
    );
    if (!fresh) continue;
    places.add(fresh.from);
    values.add(fresh.value);
    parameters++;
  }
  return parameters;
}

/** Words that are a thing in one sentence and, at the start of another, something to do. */
const VERB_OR_NOUN = new Set(
  ['order', 'buy', 'purchase', 'book', 'file', 'schedule', 'play', 'pay', 'call'].map(stem),
);

/** `order me a pizza` is no search for orders: its verb is another one. */
function hasOtherVerb([first]: readonly QueryWord[], { verbs, name }: ToolTerms): boolean {
  if (!first || !VERB_OR_NOUN.has(first.stem)) return false;
  if (verbs.some((verb) => meansSame(verb, first.stem))) return false;
  // A sentence may begin with the thing: `stock price of ACME`, `orders of Bob`.
  const plural = first.lower.endsWith('s') && first.stem !== first.lower;
  return !plural && name.some((term) => meansSame(term, first.stem));
}

/** `book a hotel` is nothing for a tool that books tables. */
function hasOtherObject(words: readonly QueryWord[], { verbs, name, description, tool }: ToolTerms): boolean {
  const at = words.findIndex(({ stem: own }) => verbs.some((verb) => meansSame(own, verb)));
  const [verb, article, object] = words
    .slice(at, at + 4)
    .filter(({ lower }) => lower !== 'me' && lower !== 'us');
  if (at === -1 || !verb || !object || !['a', 'an'].includes(article?.lower ?? '')) return false;
  // `book a double`: one of the choices stands for the thing.
  if (Object.values(tool.parameters).some((parameter) => parameter.enum?.includes(object.lower)))
    return false;
  const things = name.filter((term) => !isWeak(term) && !meansSame(term, verb.stem));
  const said = things.some((term) => words.some(({ stem: own }) => meansSame(own, term)));
  return things.length > 0 && !said && !description.has(object.stem) && !STOP_WORDS.has(object.lower);
}
