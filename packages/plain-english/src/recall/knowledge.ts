import { sentencesOf } from '../text/sentences';
import { hasTime } from './evidence';
import { isNumberWord } from '../text/number-words';
import type { Want } from './terms';
import type { MemoryAnswer, RecalledText } from './types';
import { conceptOf, termsOf, toWords, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

/** Longest description given whole, characters. */
const MAX_SHOWN = 600;
const MAX_READ = 8_000;
/** The maximum share of the words of a long question that may be missing. */
const MISSING = 0.2;

/** Words of a question that its answer has no need of. */
const IGNORED = new Set([...wordsTagged('ignored')].map(conceptOf));
/** What is asked for by name and given by its unit. */
const MEASURED = new Map<string, RegExp>(
  Object.entries({
    temperature: /\bdegrees?\b|°/i,
    price: /[€$£]|\b(?:euros?|dollars?|pounds?|usd|eur)\b/i,
    cost: /[€$£]|\b(?:euros?|dollars?|pounds?|usd|eur)\b/i,
    speed: /\bkm\/h\b|\bmph\b|\bper (?:second|hour)\b/i,
    distance: /\b(?:km|kilomet\w+|met(?:re|er)s?|miles?)\b/i,
    time: /\d{1,2}:\d\d|\b\d+ ?[ap]m\b/i,
  }).map(([word, pattern]) => [conceptOf(word), pattern] as const),
);

interface Found extends MemoryAnswer {
  readonly covered: number;
  readonly at: number;
}

/** The sentence of general knowledge that has the words of a question, with what it is about. */
export function answerFromKnowledge(
  query: string,
  wanted: Want,
  memories: readonly RecalledText[],
  isPersonal: boolean,
): MemoryAnswer | undefined {
  const terms = [...new Set(conceptsIn(query.slice(0, 1_000)))].filter((term) => !IGNORED.has(term));
  if (terms.length === 0) return undefined;
  const [best] = memories
    .filter(({ kind }) => kind === 'semantic')
    .flatMap((memory) => bestSentence(terms, wanted, memory, isPersonal) ?? [])
    .sort((left, right) => right.covered - left.covered || right.at - left.at);
  return best && { text: best.text, sourceIds: best.sourceIds };
}

function bestSentence(
  terms: readonly string[],
  wanted: Want,
  memory: RecalledText,
  isPersonal: boolean,
): Found | undefined {
  const text = memory.text.slice(0, MAX_READ);
  const [lead = '', concept = ''] = /^([^:\n.]{1,120})[:\n]\s*(?=\S)/.exec(text) ?? [];
  const description = text.slice(lead.length).trim();
  const inConcept = new Set(conceptsIn(concept));
  const rest = terms.filter((term) => !inConcept.has(term));
  // General knowledge answers a question about the user only where the knowledge is about it word by word.
  const isOfUser = /\b(?:user|my|your|preferences?|personal|profile)\b/i.test(concept);
  if (isPersonal && (rest.length === terms.length || (terms.length < 2 && !isOfUser))) return undefined;
  const tell = (said: string, covered: number): Found => ({
    text: concept === '' ? `I have this on it: ${said}` : `From what I know about ${concept.trim()}: ${said}`,
    sourceIds: [memory.id],
    covered,
    at: Date.parse(memory.timestamp ?? '') || 0,
  });
  if (rest.length === 0 && wanted !== 'amount' && wanted !== 'time')
    return tell(shorten(description), terms.length + inConcept.size / 100);
  const maxMissing = isPersonal || inConcept.size === 0 ? 0 : Math.floor(terms.length * MISSING);
  let best: Found | undefined;
  for (const sentence of sentencesOf(description)) {
    const said = description.slice(sentence[0]?.start, sentence.at(-1)?.end);
    const words = toWords(sentence);
    const has = new Set(termsOf(words.map(({ lower }) => lower)));
    const missing = rest.filter((term) => !has.has(term) && MEASURED.get(term)?.test(said) !== true).length;
    if (missing > maxMissing || !fitsWanted(wanted, said, words)) continue;
    const covered = terms.length - missing;
    if (!best || covered > best.covered) best = tell(said, covered);
  }
  return best;
}

function fitsWanted(wanted: Want, said: string, words: readonly Word[]): boolean {
  if (wanted === 'amount' || wanted === 'duration')
    return /\d/.test(said) || words.some(({ lower }) => isNumberWord(lower));
  if (wanted === 'time') return hasTime(words);
  return wanted !== 'person' || /\p{Lu}\p{Ll}/u.test(said.slice(1));
}

function conceptsIn(text: string): string[] {
  return termsOf(toWords(sentencesOf(text).flat()).map(({ lower }) => lower));
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).replace(/\s+\S*$/, '')} …` : text;
}
