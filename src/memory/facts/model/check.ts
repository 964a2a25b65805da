import type { FactSource, RecordedFact } from '../../../contracts/facts';
import { CLAIM_PROBLEMS, type FactRules } from '../facts';
import { sameValue } from '../fold';
import { MAX_TEXT, type DrawnFact } from './ask';
import { NAMED_ATTRIBUTES } from './attributes';

/**
 * Why a fact of a model is dropped. The first four: those words are not in the memory. `known`: the memory says it already by the
 * rules. `overruled`: the user has retracted or corrected it.
 */
export const REFUSALS = [
  'quote',
  'value',
  'subject',
  'attribute',
  ...CLAIM_PROBLEMS,
  'known',
  'overruled',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export const USER = 'user';

/**
 * Checks a fact of a model against the memory that it claims as its source: all of its words stand there, as one phrase each, and the
 * rules do not read the clause as asked, supposed, denied or said by others. So an instruction that a memory carries can make no
 * more than facts of its own words. Pure.
 * @param rules absent where there are none; then nothing tells polarity and speaker
 */
export function checkDrawn(
  memory: string,
  drawn: DrawnFact,
  rules: Pick<FactRules, 'readClaim'> | undefined,
): RecordedFact | Refusal {
  const text = memory.slice(0, MAX_TEXT);
  const { change, value, replaces, quote } = drawn;
  const subject = drawn.subject.toLowerCase() === USER ? USER : wordsIn(text, drawn.subject);
  const named = drawn.attribute.toLowerCase();
  const isNamed = Object.hasOwn(NAMED_ATTRIBUTES, named);
  const attribute = isNamed ? named : wordsIn(text, drawn.attribute);
  const from = text.indexOf(quote);
  if (from === -1) return 'quote';
  const place = findPhrase(quote, value);
  if (place === undefined || (replaces && findPhrase(text, replaces) === undefined)) return 'value';
  if (subject === undefined) return 'subject';
  if (attribute === undefined) return 'attribute';
  const [start, end] = [from + place.start, from + place.end];
  const read = rules?.readClaim(text, { subject, ends: change === 'ends', start, end });
  if (read?.problem !== undefined) return read.problem;
  return {
    subject,
    attribute,
    // The words as the memory has them.
    value: text.slice(start, end),
    change,
    single: isNamed && NAMED_ATTRIBUTES[attribute] === true,
    certain: isNamed,
    ...(replaces ? { replaces } : {}),
    start: read?.start ?? from,
    end: read?.end ?? from + quote.length,
    drawnBy: 'model',
  };
}

/** A phrase as a text has it, in lower case. */
function wordsIn(text: string, phrase: string): string | undefined {
  const place = findPhrase(text, phrase);
  return place && text.slice(place.start, place.end).toLowerCase();
}

/** Finds a phrase between other words, whatever its case and its spaces. */
function findPhrase(
  text: string,
  phrase: string,
): { readonly start: number; readonly end: number } | undefined {
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  if (!words.some((word) => /[\p{L}\p{N}]/u.test(word))) return undefined;
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+');
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'iu').exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/**
 * Whether a fact of a model gives way to what is known: to the rules, where they read the same memory, and to what the user has
 * retracted or corrected since the memory was made. Pure.
 */
export function givesWay(
  fact: RecordedFact,
  { memoryId, at }: Pick<FactSource, 'memoryId' | 'at'>,
  sources: readonly FactSource[],
): 'known' | 'overruled' | undefined {
  for (const source of sources) {
    const isOwn = source.memoryId === memoryId;
    const { correctedAt } = source;
    for (const said of source.said) {
      if (said.subject !== fact.subject || said.value === null) continue;
      const isSame = said.attribute === fact.attribute;
      const isEqual = fact.value !== null && sameValue(said.value, fact.value);
      const { retracted } = said;
      if (retracted !== undefined) {
        if (isEqual && (isSame || isOwn) && at <= (retracted.at ?? Infinity)) return 'overruled';
      } else if (correctedAt !== undefined) {
        if (isSame && fact.single && at <= correctedAt) return 'overruled';
      } else if (isOwn && isSame && said.change !== 'doubts') {
        const isRival = fact.single && said.change !== 'ends' && fact.change !== 'ends';
        if (isEqual || isRival) return 'known';
      }
    }
  }
  return undefined;
}
