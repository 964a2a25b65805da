import type { CalculatorOperation } from '../known-tools';
import { matchQuantity, type Quantity } from '../text/quantity';
import type { Token } from '../text/token';
import type { Expression } from './expression';
import phrases from './phrases.json';

export type ListName = 'sum' | 'product' | 'difference' | 'quotient' | 'average' | 'largest' | 'smallest';
export type UnaryName = 'double' | 'triple' | 'halve' | 'square' | 'cube';
export type Verb = 'add' | 'subtract' | 'take' | 'multiply' | 'divide' | 'increase' | 'decrease' | 'start';

/** What a phrase means to the grammar of calculations. */
type Meaning =
  /** Between two numbers. `reversed`: `7 subtracted from 20`; `percent`: the quotient in hundredths. */
  | {
      readonly type: 'infix';
      readonly operation: CalculatorOperation;
      readonly reversed?: boolean;
      readonly percent?: boolean;
    }
  | { readonly type: 'verb'; readonly verb: Verb }
  | { readonly type: 'list'; readonly name: ListName }
  | { readonly type: 'unary'; readonly name: UnaryName }
  | { readonly type: 'fraction'; readonly parts: number }
  | { readonly type: 'particle'; readonly word: string }
  /** `power`: between a base and its exponent; `hundredths`: after a quotient; `it`: the value before; `next`: between two instructions. */
  | { readonly type: 'open' | 'close' | 'power' | 'hundredths' | 'percentOf' | 'percentIs' | 'it' | 'next' }
  /** `filler` says nothing anywhere, `asking` only around a calculation. */
  | { readonly type: 'filler' | 'asking' };

/** A unit of the grammar. */
export type Lexeme = (({ readonly type: 'number' } & Omit<Quantity, 'next'>) | Meaning) & {
  readonly token: Token;
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  (phrases as readonly { readonly meaning: Meaning; readonly phrases: string }[]).flatMap(
    ({ meaning, phrases: list }) =>
      list
        .split('|')
        .flatMap((phrase) => (meaning.type === 'list' ? [phrase, `the ${phrase}`] : [phrase]))
        .map((phrase) => [phrase, meaning] as const),
  ),
);
const MAX_WORDS = 6;

/** The units of a clause, without those that say nothing; undefined if a word of it has no place in a calculation. */
export function lexCalculation(tokens: readonly Token[], joinAnd: boolean): Lexeme[] | undefined {
  const lexemes: Lexeme[] = [];
  for (let at = 0; at < tokens.length;) {
    const lexeme = lexOne(tokens, at, joinAnd);
    if (!lexeme) return undefined;
    if (lexeme.is.type !== 'filler') lexemes.push(lexeme.is);
    at = lexeme.next;
  }
  return withoutAsking(lexemes);
}

interface Found<T> {
  readonly is: T;
  /** The token after it. */
  readonly next: number;
}

function lexOne(tokens: readonly Token[], at: number, joinAnd: boolean): Found<Lexeme> | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const phrase = matchPhrase(tokens, at);
  if (phrase && phrase.next > at + 1) return { is: { ...phrase.is, token }, next: phrase.next };
  const quantity = matchQuantity(tokens, at, joinAnd);
  // `0199` is a part of a name or of a telephone number.
  if (quantity && !/^0\d/.test(token.text)) {
    const { next, ...number } = quantity;
    return { is: { type: 'number', ...number, token }, next };
  }
  return phrase && { is: { ...phrase.is, token }, next: phrase.next };
}

/** The meaning of the longest phrase that starts here. */
function matchPhrase(tokens: readonly Token[], at: number): Found<Meaning> | undefined {
  let longest: Found<Meaning> | undefined;
  let phrase = '';
  for (let next = at; next < Math.min(tokens.length, at + MAX_WORDS); next++) {
    const token = tokens[next];
    if (!token || (token.kind !== 'word' && token.kind !== 'symbol' && next === at)) break;
    phrase = next === at ? token.lower : `${phrase} ${token.lower}`;
    const meaning = meanings.get(phrase);
    if (meaning) longest = { is: meaning, next: next + 1 };
  }
  return longest;
}

/** Asking stands around a calculation; in the middle, as in `12 percent of what is 60`, it stands for a number that is not known. */
function withoutAsking(lexemes: readonly Lexeme[]): Lexeme[] | undefined {
  const isUnknown = lexemes.some(({ type }, at) => {
    const before = lexemes[at - 1];
    return type === 'asking' && before?.type === 'particle' && before.word !== 'and' && before.word !== ',';
  });
  return isUnknown ? undefined : lexemes.filter(({ type }) => type !== 'asking');
}

/** Thrown inside the grammar and caught by the reader: why a clause is no calculation, or what it lacks. */
export class NoCalculation extends Error {
  constructor(
    reason: string,
    /** The calculator's parameter that has no value. */
    readonly missing?: 'a' | 'b',
    /** What was understood before. */
    readonly args: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason);
  }
}

/** Nesting deeper than this is refused, so that no text can exhaust the stack. */
const MAX_DEPTH = 60;

/** A place in the lexemes, and what `it` means there. */
export class Cursor {
  at = 0;
  private depth = 0;

  constructor(
    private readonly lexemes: readonly Lexeme[],
    /** The value that `it` or a missing operand stands for. */
    public current: Expression | undefined,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.lexemes.length;
  }

  peek(offset = 0): Lexeme | undefined {
    return this.lexemes[this.at + offset];
  }

  isNext(type: Lexeme['type'], offset = 0): boolean {
    return this.peek(offset)?.type === type;
  }

  /** Takes the next lexeme if it is one of these particles. */
  particle(...words: readonly string[]): string | undefined {
    const next = this.peek();
    if (next?.type !== 'particle' || !words.includes(next.word)) return undefined;
    this.at++;
    return next.word;
  }

  /** What is read from here on; if that is nothing, the place stays. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.at;
    const value = read();
    if (value === undefined) this.at = start;
    return value;
  }

  nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new NoCalculation('the calculation is nested too deeply');
    try {
      return read();
    } finally {
      this.depth--;
    }
  }
}
