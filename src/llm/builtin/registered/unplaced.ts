import { nameEnd } from './names';
import type { SlotState } from './slot-state';

/**
 * What a sentence gives and no parameter takes, though it looks like a value: a second name after the first, or a number.
 * A call without it would do less than is asked for.
 */
export function findUnplaced(state: SlotState): string | undefined {
  const { tokens } = state;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token || !state.isFree(at)) continue;
    if (token.kind === 'number') return token.text;
    if (isFurtherName(state, at)) return state.valueText(at, nameEnd(tokens, at));
  }
  return undefined;
}

/** `Max, Bella and Rex`. */
function isFurtherName(state: SlotState, at: number): boolean {
  const { tokens } = state;
  const isName = (index: number): boolean =>
    tokens[index]?.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(tokens[index]?.text ?? '');
  const between = tokens[at - 1]?.lower ?? '';
  return (
    isName(at) &&
    (between === 'and' || between === ',' || between === '&') &&
    state.isUsed(at - 2) &&
    isName(at - 2)
  );
}
