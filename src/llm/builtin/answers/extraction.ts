import { findTemporals, joinTemporals } from '../registered/temporal';
import { matchQuantity } from '../text/quantity';
import { textOf, type Token, type TokenKind, type TokenText } from '../text/token';
import { tokenize } from '../text/tokenizer';
import type { Prompt } from './prompt';

const ASKING = /\b(?:extract|find|get|pull|list|give|return|identify|what(?:'s| is| are)|which|copy)\b/i;
const KINDS: readonly (readonly [RegExp, readonly TokenKind[]])[] = [
  [/\be-?mails?\b/i, ['email']],
  [/\b(?:urls?|links?|web ?address(?:es)?)\b/i, ['url', 'domain']],
  [/\bfile ?(?:names?|paths?)\b/i, ['file']],
];

/** `extract the email from: …`: what has such a form, as it is written; several by line. */
export function answerExtraction({ instruction, subject }: Prompt): string | undefined {
  if (subject === '' || !ASKING.test(instruction)) return undefined;
  const text = tokenize(subject);
  const kinds = KINDS.find(([pattern]) => pattern.test(instruction))?.[1];
  if (kinds)
    return answerWith(instruction, text.tokens.filter(({ kind }) => kinds.includes(kind)).map(shown));
  if (/\b(?:dates?|times?|days?|when)\b/i.test(instruction)) return answerWith(instruction, dates(text));
  if (/\b(?:numbers?|amounts?|prices?)\b/i.test(instruction) && !/\bnumber of\b/i.test(instruction)) {
    return answerWith(instruction, numbers(text.tokens));
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
function answerWith(_instruction: string, found: readonly string[]): string | undefined {
  return found.length === 0 ? undefined : [...new Set(found)].join('\n');
}
