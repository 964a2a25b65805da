import type { FactSource, RecordedFact } from '../../../contracts/facts';
import { CLAIM_PROBLEMS, type FactRules } from '../facts';
import { sameValue } from '../fold';
import { MAX_TEXT, type DrawnFact } from './ask';
import { NAMED_ATTRIBUTES } from './attributes';
import { cutText } from '../../../base/text/well-formed';

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

/** Before a phrase there is no part of its first word: no letter, no `non-` and no `O'`, and no digits of its number. */
const BEFORE = /(?<![\p{L}\p{N}\p{M}]|[\p{L}\p{N}\p{M}][-‐‑'’]|\p{N}[.,:])/u.source;
/** After a phrase there is no part of its last word, and no more digits of its number. */
const AFTER = /(?![\p{L}\p{N}\p{M}]|[.,:]\p{N})/u.source;

/** A part of a text, code units. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Checks a fact of a model against the memory that it claims as its source: all of its words stand there whole, as one phrase each,
 * and the rules do not read the clause as asked, supposed, denied or said by others, nor as lasting if the fact is said to end.
 * So an instruction that a memory carries can make no more than facts of its own words. These supersede and end facts of other
 * memories, as all that the user says does. Pure.
 * @param rules absent if there are none; then nothing tells polarity and speaker
 */
export function checkDrawn(
  memory: string,
  drawn: DrawnFact,
  rules: Pick<FactRules, 'readClaim'> | undefined,
): RecordedFact | Refusal {
  const text = cutText(memory, MAX_TEXT);
  const { change, value, replaces, quote } = drawn;
  const subject = drawn.subject.toLowerCase() === USER ? USER : wordsIn(text, drawn.subject);
  const named = drawn.attribute.toLowerCase();
  const isNamed = Object.hasOwn(NAMED_ATTRIBUTES, named);
  const attribute = isNamed ? named : wordsIn(text, drawn.attribute);
  const quoted = findQuote(text, quote);
  if (quoted === undefined) return 'quote';
  const place = findPhrase(text, value, quoted);
  if (place === undefined || (replaces && findPhrase(text, replaces, quoted) === undefined)) return 'value';
  if (subject === undefined) return 'subject';
  if (attribute === undefined) return 'attribute';
  const { start, end } = place;
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
    start: read?.start ?? quoted.start,
    end: read?.end ?? quoted.end,
    drawnBy: 'model',
  };
}

/** A phrase as a text has it, in lower case. */
function wordsIn(text: string, phrase: string): string | undefined {
  const place = findPhrase(text, phrase);
  return place && text.slice(place.start, place.end).toLowerCase();
}

/** Finds a phrase between other words, whatever its case and its spaces. @param within default: the whole text */
function findPhrase(text: string, phrase: string, within?: Place): Place | undefined {
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  if (!words.some((word) => /[\p{L}\p{N}]/u.test(word))) return undefined;
  const pattern = `${BEFORE}${words.map(escape).join('\\s+')}${AFTER}`;
  return find(text, new RegExp(pattern, 'giu'), within);
}

/** Finds a quote character by character. One that begins or ends with a letter or a digit begins or ends a word there. */
function findQuote(text: string, quote: string): Place | undefined {
  const [before, after] = [/^[\p{L}\p{N}]/u.test(quote), /[\p{L}\p{N}]$/u.test(quote)];
  return find(text, new RegExp(`${before ? BEFORE : ''}${escape(quote)}${after ? AFTER : ''}`, 'gu'));
}

function find(text: string, pattern: RegExp, { start, end }: Place = { start: 0, end: text.length }) {
  // The pattern looks at what is around the place too, so it is applied to the whole text.
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  if (match === null || match.index + match[0].length > end) return undefined;
  return { start: match.index, end: match.index + match[0].length };
}

function escape(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * Whether a fact of a model gives way to what is known: to the rules, if they read the same memory, and to what the user has
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
    for (const saidFact of source.said) {
      if (saidFact.subject !== fact.subject || saidFact.value === null) continue;
      const isSame = saidFact.attribute === fact.attribute;
      const isEqual = fact.value !== null && sameValue(saidFact.value, fact.value);
      const { retracted } = saidFact;
      if (retracted !== undefined) {
        if (isEqual && (isSame || isOwn) && at <= (retracted.at ?? Infinity)) return 'overruled';
      } else if (correctedAt !== undefined) {
        if (isSame && fact.single && at <= correctedAt) return 'overruled';
      } else if (isOwn && isSame && saidFact.change !== 'doubts') {
        const isRival = fact.single && saidFact.change !== 'ends' && fact.change !== 'ends';
        if (isEqual || isRival) return 'known';
      }
    }
  }
  return undefined;
}
