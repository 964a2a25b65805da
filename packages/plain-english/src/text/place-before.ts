import { textOf, type Token, type TokenText } from './token';
import { tokenize } from './tokenizer';

const LEADING_TO_PLACE = new Set(['to', 'in', 'at', 'near', 'for', 'from', 'around', 'visiting', 'visit']);
const THERE = new Set(['there']);

/** The place that `there` means: the last one named before it, `flying to Oslo, what is the weather like there`. */
export function placeBefore(clause: TokenText): string[] {
  const there = clause.tokens.find(({ lower }) => THERE.has(lower));
  if (!there || clause.source.length > 2_000) return [];
  const text = tokenize(clause.source);
  for (let at = text.tokens.length - 1; at > 0; at--) {
    const token = text.tokens[at];
    if (!token || token.start >= there.start || !isPlaceName(token)) continue;
    let from = at;
    while (from > 0 && isPlaceName(text.tokens[from - 1])) from--;
    if (LEADING_TO_PLACE.has(text.tokens[from - 1]?.lower ?? '')) return [textOf(text, from, at + 1)];
    at = from;
  }
  return [];
}

function isPlaceName(token: Token | undefined): boolean {
  return token?.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(token.text);
}
