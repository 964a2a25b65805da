import { sentencesOf } from '../text/sentences';
import { hasTime } from './evidence';
import { isNumberWord } from '../text/number-words';
import type { Want } from './terms';
import type { MemoryAnswer, RecalledText } from './types';
import { conceptOf, termsOf, toWords } from './words';
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
  isPersonal = false,
): MemoryAnswer | undefined {
  const terms = [
    ...new Set(termsOf(toWords(sentencesOf(query.slice(0, 1_000)).flat()).map(({ lower }) => lower))),
  ];
  const asked = terms.filter((term) => !IGNORED.has(term));
  if (asked.length === 0) return undefined;
  let best: Found | undefined;
  for (const memory of memories) {
    if (memory.kind !== 'semantic') continue;
    const found = bestSentence(asked, wanted, memory, isPersonal);
    if (
      found &&
      (!best || found.covered > best.covered || (found.covered === best.covered && found.at > best.at))
    )
      best = found;
  }
  return best && { text: best.text, sourceIds: best.sourceIds };
}

function bestSentence(
  terms: readonly string[],
  wanted: Want,
  memory: RecalledText,
  isPersonal: boolean,
): Found | undefined {
  const text = memory.text.slice(0, MAX_READ);
  const colon = /^([^:\n.]{1,120})[:\n]\s*(?=\S)/.exec(text);
  const concept = colon?.[1]?.trim() ?? '';
  const description = text.slice(colon?.[0].length ?? 0).trim();
  const inConcept = new Set(wordsOf(concept));
  const rest = terms.filter((term) => !inConcept.has(term));
  // General knowledge answers a question about the user only where the knowledge is about it word by word.
  const isOfUser = /\b(?:user|my|your|preferences?|personal|profile)\b/i.test(concept);
  if (isPersonal && (rest.length === terms.length || (terms.length < 2 && !isOfUser))) return undefined;
  const at = Date.parse(memory.timestamp ?? '') || 0;
  const tell = (said: string): string =>
    concept === '' ? `I have this on it: ${said}` : `From what I know about ${concept}: ${said}`;
  if (rest.length === 0 && wanted !== 'amount' && wanted !== 'time') {
    return {
      text: tell(shorten(description)),
      sourceIds: [memory.id],
      covered: terms.length + inConcept.size / 100,
      at,
    };
  }
  let best: { readonly said: string; readonly covered: number } | undefined;
  for (const sentence of sentencesOf(description)) {
    const first = sentence[0];
    const last = sentence.at(-1);
    if (!first || !last) continue;
    const said = description.slice(first.start, last.end);
    const has = new Set(wordsOf(said));
    const missing = rest.filter((term) => !has.has(term) && MEASURED.get(term)?.test(said) !== true).length;
    if (
      missing > (isPersonal ? 0 : Math.floor(terms.length * MISSING)) ||
      (missing > 0 && inConcept.size === 0)
    )
      continue;
    if (!fitsWanted(wanted, said)) continue;
    const covered = terms.length - missing;
    if (!best || covered > best.covered) best = { said, covered };
  }
  return best && { text: tell(best.said), sourceIds: [memory.id], covered: best.covered, at };
}

function fitsWanted(wanted: Want, said: string): boolean {
  if (wanted === 'amount' || wanted === 'duration')
    return /\d/.test(said) || wordsOfRaw(said).some(isNumberWord);
  if (wanted === 'time') return hasTime(said);
  if (wanted === 'person') return /\p{Lu}\p{Ll}/u.test(said.slice(1));
  return true;
}

function wordsOfRaw(text: string): string[] {
  return toWords(sentencesOf(text).flat()).map(({ lower }) => lower);
}

function wordsOf(text: string): string[] {
  return termsOf(wordsOfRaw(text));
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).replace(/\s+\S*$/, '')} …` : text;
}
