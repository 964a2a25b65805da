export type TokenKind =
  | 'word'
  | 'number'
  | 'ordinal'
  | 'symbol'
  | 'quoted'
  | 'json'
  | 'jsonpath'
  | 'url'
  | 'domain'
  | 'email'
  | 'file'
  | 'dotted'
  | 'phone'
  | 'date'
  | 'time';

/** One unit of a sentence, with its place in it. */
export interface Token {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
  /** The number of a `number` or `ordinal`, the inner text of a `quoted`, the parsed value of a `json`, the address of a `url`. */
  readonly value?: unknown;
}

/** A sentence and its tokens; parts of it keep the whole source, so that values can be cut out as written. */
export interface TokenText {
  readonly source: string;
  readonly tokens: readonly Token[];
}

/** The text from one token to another as it was written; `to` is exclusive. */
export function textOf({ source, tokens }: TokenText, from = 0, to = tokens.length): string {
  const first = tokens[from];
  const last = tokens[to - 1];
  return first && last && to > from ? source.slice(first.start, last.end) : '';
}

/** Part of a sentence, by token numbers. */
export function sliceTokens({ source, tokens }: TokenText, from: number, to = tokens.length): TokenText {
  return { source, tokens: tokens.slice(from, to) };
}

type Lowers = readonly { readonly lower: string }[];

/** The token or word at a place in lower case, empty outside of the list. */
export const lowerAt = (list: Lowers, at: number): string => list[at]?.lower ?? '';
