import { conceptOf, toWords } from '../recall/words';
import { STOP_WORDS } from '../text/stop-words';
import { tokenize } from '../text/tokenizer';
import { MAX_KNOWN } from './reading';
import type { KnownFact, SaidFact } from './types';

/** Words with which somebody may tell of a change, beside those that every message has. */
const CHANGING =
  /\b(?:now|new|since|instead|again|once|back|actually|scratch|forget|ignore|sorry|wrong|mov\w+|chang\w+|switch\w*|swap\w*|trad\w+|sold|sell\w*|quit|left|leav\w+|gave|gone|end(?:ed|s)?|over|done|finish\w*|replac\w+|meant|used|rais\w+|goes up|went|put|from|lasted|cancel\w*|drop\w*|stop\w*|never|not|no|\w+n't|more|has|got|become|became|turned|bought|finally|settled|permanent)\b/iu;
/** A number, or a name inside a sentence. */
const VALUE = /\d[\d.,:]*|(?<=[\p{Ll},:;] )\p{Lu}\p{Ll}+/gu;

/**
 * Finds the facts that a message may have changed without a reading that says so: it has a word of the fact, and a word of change
 * or a value that the fact has not. An answer that may hold no more is worse than none.
 * @param said what was read of the message, which settles the facts that it names
 */
export function doubtsOf(
  message: string,
  known: readonly KnownFact[],
  said: readonly SaidFact[],
): SaidFact[] {
  if (/\?\s*$/.test(message)) return [];
  const concepts = new Set(contentOf(message));
  return known
    .slice(0, MAX_KNOWN)
    .filter((fact) => !said.some((one) => settles(one, fact)))
    .filter((fact) => {
      const words = contentOf(`${fact.value} ${fact.attribute} ${fact.about ?? ''}`);
      return (
        words.some((word) => concepts.has(word)) && (CHANGING.test(message) || hasOtherValue(message, fact))
      );
    })
    .map(({ subject, attribute, value, single }) => ({
      subject,
      attribute,
      value,
      single,
      change: 'doubts',
      start: 0,
      end: 0,
    }));
}

function settles(said: SaidFact, fact: KnownFact): boolean {
  return said.subject === fact.subject && said.attribute === fact.attribute;
}

function hasOtherValue(message: string, { value }: KnownFact): boolean {
  return [...message.matchAll(VALUE)].some(([found]) => !value.includes(found));
}

function contentOf(text: string): string[] {
  return toWords(tokenize(text).tokens)
    .map(({ lower }) => lower)
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word))
    .map(conceptOf);
}
