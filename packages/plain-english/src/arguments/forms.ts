import { isIdLike } from '../text/id-like';
import { MAX_TOKENS, type Range } from './spans';
import type { View } from './view';

const OF_FORM = new Set(['email', 'url', 'file', 'phone', 'quoted', 'json', 'domain']);

/** What of a text looks like a value, whatever the tool: numbers, dates, names, addresses, quotations, ids. */
export function formsIn({ tokens, spans }: View): readonly Range[] {
  const single = tokens
    .slice(0, MAX_TOKENS)
    .flatMap(({ kind, text }, at) =>
      OF_FORM.has(kind) || (kind === 'word' && isIdLike(text)) ? [{ from: at, to: at + 1 }] : [],
    );
  const names = spans.names.filter(
    ({ isJoined, startsSentence, from, to }) => !isJoined && (!startsSentence || to > from + 1),
  );
  return [...single, ...spans.numbers, ...spans.temporals, ...names];
}
