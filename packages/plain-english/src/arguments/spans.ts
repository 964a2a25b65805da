import { onceFor } from '../text/once-for';
import { joinTemporals, type Temporal } from '../text/temporal';
import type { Token, TokenText } from '../text/token';
import { findMoments } from './moments';
import { addressEnd, findNames, type NameRun } from './names';
import { findNumbers, type NumberSpan } from './quantities';
import { unitOf } from './units';

/** A stretch of tokens; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What of a text may be a value by its form, whatever the tool. */
export interface FormSpans {
  readonly text: TokenText;
  readonly temporals: readonly Temporal[];
  /** Dates and times that stand next to each other as one. */
  readonly moments: readonly Temporal[];
  readonly numbers: readonly NumberSpan[];
  readonly names: readonly NameRun[];
  readonly addresses: readonly Range[];
}

/** The maximum number of tokens of a request; a longer text is content to pass on. */
export const MAX_TOKENS = 200;

export const spansOf = onceFor((text: TokenText): FormSpans => {
  const tokens = text.tokens.slice(0, MAX_TOKENS);
  const temporals = findMoments(tokens);
  const addresses = tokens.flatMap((_, at) => {
    const to = addressEnd(tokens, at);
    return to === undefined ? [] : [{ from: at, to }];
  });
  const numbers = findNumbers(tokens).filter(
    (one) =>
      !temporals.some((other) => overlap(one, other) && !isDelay(tokens, other)) && !isGlued(tokens, one.to),
  );
  return {
    text,
    temporals,
    moments: joinTemporals(
      tokens,
      temporals.filter((one) => !isDelay(tokens, one)),
    ),
    numbers,
    names: findNames(tokens).filter((one) => !temporals.some((other) => overlap(one, other))),
    addresses,
  };
});

export function overlap(one: Range, other: Range): boolean {
  return one.from < other.to && other.from < one.to;
}

/** `in 44 minutes` is a time, or how long something took. */
function isDelay(tokens: readonly Token[], { from }: Range): boolean {
  return tokens[from]?.lower === 'in';
}

/** True where a place is inside of what is written together, as in `3B`; a number and its unit are two values. */
export function isGlued(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at]];
  if (!before || !after || before.end !== after.start) return false;
  const isWord = ({ kind }: Token): boolean => kind === 'word' || kind === 'number';
  const isCode = isWord(before) && isWord(after) && /\d/.test(before.text + after.text);
  return isCode && unitOf(after.lower) === undefined && after.lower !== 'x';
}
