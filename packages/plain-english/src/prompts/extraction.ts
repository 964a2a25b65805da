import { findTemporals, joinTemporals } from '../text/temporal';
import { matchQuantity } from '../text/quantity';
import { textOf, type Token, type TokenKind, type TokenText } from '../text/token';
import { tokenize } from '../text/tokenizer';
import { findPhoneNumbers } from './phone-numbers';
import type { Prompt } from './prompt';

const ASKING = /\b(?:extract|find|get|pull|list|give|return|identify|what(?:'s| is| are)|which|copy)\b/i;
const PHONES = /\b(?:(?:tele)?phones?|mobiles?|cell|fax|contact numbers?)\b/i;
/** One number of a kind can be meant only where there are no others of that kind. */
const NUMBERS = /\b(?:numbers?|amounts?|prices?)\b/i;
const ANY_NUMBERS = /\b(?:the|all|any|every|each|only|these|extract|find|list)\s+(?:the\s+)?numbers?\b/i;
const KINDS: readonly (readonly [RegExp, readonly TokenKind[]])[] = [
  [/\be-?mails?\b/i, ['email']],
  [/\b(?:urls?|links?|web ?address(?:es)?)\b/i, ['url', 'domain']],
  [/\bfile ?(?:names?|paths?)\b/i, ['file']],
];

/** `extract the email from: …`: what has such a form, as it is written; several by line. */
export function answerExtraction({ instruction, subject }: Prompt): string | undefined {
  if (subject === '' || !ASKING.test(instruction)) return undefined;
  if (PHONES.test(instruction)) return answerWith(findPhoneNumbers(subject));
  const text = tokenize(subject);
  const kinds = KINDS.find(([pattern]) => pattern.test(instruction))?.[1];
  if (kinds) return answerWith(text.tokens.filter(({ kind }) => kinds.includes(kind)).map(shown));
  if (/\b(?:dates?|times?|days?|when)\b/i.test(instruction)) return answerWith(dates(text));
  if (NUMBERS.test(instruction) && !/\bnumber of\b/i.test(instruction)) {
    // Whether two groups of digits are one number or two is not known.
    if (findPhoneNumbers(subject).some((found) => /\D/.test(found))) return undefined;
    const found = numbers(text.tokens);
    return ANY_NUMBERS.test(instruction) || found.length === 1 ? answerWith(found) : undefined;
  }
  return undefined;
}

function shown({ text }: Token): string {
  return text;
}

function dates(text: TokenText): string[] {
  return joinTemporals(text.tokens, findTemporals(text.tokens)).map(({ from, to }) => textOf(text, from, to));
}

function numbers(tokens: readonly Token[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const quantity = matchQuantity(tokens, at);
    if (quantity) found.push(String(quantity.value));
    at = quantity?.next ?? at + 1;
  }
  return found;
}

/** One where one is asked for and one is there; several are all given. */
function answerWith(found: readonly string[]): string | undefined {
  return found.length === 0 ? undefined : [...new Set(found)].join('\n');
}
