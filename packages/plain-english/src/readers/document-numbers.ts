import { isOwner, namedFields, type Asked } from '../json/asked';
import { beginsNumber } from '../text/quantity';
import { ARTICLES } from '../text/stop-words';
import type { Token } from '../text/token';
import type { Operand } from './document-operands';

/** Takes the place of a value that is no number, to see whether it is to be calculated with. */
export const STAND_IN = 7_919;

const PREPOSITIONS = new Set(['of', 'in', 'for', 'from', 'at', 'on', 'with', 'there', 'by', 'to', 'under']);
/** `take {…} and multiply`: what is done with the document itself is no calculation. */
const BEFORE_DOCUMENT = new Set(['take', 'given', 'from', 'in', 'of', 'with', 'using', 'start']);

const CARDINALS = ['', 'one', 'two', 'three', 'four', 'five'];

/** The question with numbers for names, and without the words that say which item or whose value is meant. */
export function substitute(asked: Asked, operands: readonly Operand[]): readonly Token[] {
  const { words, tokens, mentions, selectors } = asked;
  const numbers = new Map<number, Operand[]>();
  const dropped = new Set<number>();
  const drop = (from: number, to: number): void => {
    for (const { token } of words.slice(from, to)) dropped.add(token);
  };
  const named = new Set(namedFields(asked));
  for (const mention of mentions) {
    if (named.has(mention) || isOwner(mention, mentions)) drop(mention.from, mention.to);
  }
  for (const { from, to } of [...selectors, ...operands]) drop(from, to);
  for (const operand of operands) {
    const first = words[operand.from]?.token;
    if (first !== undefined) numbers.set(first, [...(numbers.get(first) ?? []), operand]);
  }
  const kept = tokens.flatMap((token, at): (Token | undefined)[] => {
    const values = numbers.get(at);
    if (values)
      return values.flatMap((operand, nth) => [
        ...(nth > 0 ? [wordOf(token, 'and')] : []),
        numberOf(token, operand),
      ]);
    // `add the two totals`
    const isCount = numbers.get(at + 1)?.length === CARDINALS.indexOf(token.lower);
    if (dropped.has(at) || isCount || isDocument(token) || ARTICLES.has(token.lower) || token.lower === "'s")
      return [undefined];
    if (BEFORE_DOCUMENT.has(token.lower) && tokens[at + 1] !== undefined && isDocument(tokens[at + 1]))
      return [undefined];
    // `price per square metre`, where both are there.
    return token.lower === 'per' && isBetween(at, numbers, dropped)
      ? [wordOf(token, 'divided'), wordOf(token, 'by')]
      : [token];
  });
  return kept.filter((token, at): token is Token => {
    if (!token) return false;
    const isVerb = /^(?:is|are|was|were)$/.test(token.lower);
    if (
      isVerb &&
      kept.slice(0, at).findLast((one) => one !== undefined)?.kind !== 'word' &&
      kept[at + 1]?.kind === 'number'
    )
      return false;
    // `of the first team`: nothing is left for the preposition.
    const next = kept.slice(at + 1).find((one) => one !== undefined);
    return !(PREPOSITIONS.has(token.lower) && kept[at + 1] === undefined && !beginsNumber(next));
  });
}

function isDocument(token: Token | undefined): boolean {
  return token?.kind === 'json' || token?.kind === 'url';
}

function isBetween(at: number, numbers: ReadonlyMap<number, unknown>, dropped: ReadonlySet<number>): boolean {
  return dropped.has(at - 1) && numbers.has(at + 1);
}

function numberOf(token: Token, { value = STAND_IN }: Operand): Token & { readonly isOperand: true } {
  return { ...token, kind: 'number', text: String(value), lower: String(value), value, isOperand: true };
}

function wordOf(token: Token, word: string): Token {
  return { ...token, kind: 'word', text: word, lower: word };
}
