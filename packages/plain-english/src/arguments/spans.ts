import { findTemporals, joinTemporals, type Temporal } from '../text/temporal';
import type { TokenText } from '../text/token';
import { addressEnd, findNames, type NameRun } from './names';
import { findNumbers, type NumberSpan } from './quantities';

/** A stretch of tokens; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What of a text may be a value by its form, whatever the tool. */
export interface TextSpans {
  readonly text: TokenText;
  readonly temporals: readonly Temporal[];
  /** Dates and times that stand next to each other as one. */
  readonly moments: readonly Temporal[];
  readonly numbers: readonly NumberSpan[];
  readonly names: readonly NameRun[];
  readonly addresses: readonly Range[];
}

/** Past so many tokens a text is what is to be passed on rather than a request. */
export const MAX_TOKENS = 200;

const cache = new WeakMap<TokenText, TextSpans>();

export function spansOf(text: TokenText): TextSpans {
  const known = cache.get(text);
  if (known) return known;
  const spans = compute(text);
  cache.set(text, spans);
  return spans;
}

function compute(text: TokenText): TextSpans {
  const tokens = text.tokens.slice(0, MAX_TOKENS);
  const temporals = findTemporals(tokens);
  const addresses = tokens.flatMap((_, at) => {
    const to = addressEnd(tokens, at);
    return to === undefined ? [] : [{ from: at, to }];
  });
  const numbers = findNumbers(tokens).filter((one) => !temporals.some((other) => overlap(one, other)));
  return {
    text,
    temporals,
    moments: joinTemporals(tokens, temporals),
    numbers,
    names: findNames(tokens).filter((one) => !temporals.some((other) => overlap(one, other))),
    addresses,
  };
}

export function overlap(one: Range, other: Range): boolean {
  return one.from < other.to && other.from < one.to;
}
