import { ARTICLES } from '../text/stop-words';
import { findEnumHits } from './enums';
import { nameEnd } from './names';
import type { SlotState } from './slot-state';

/**
 * What a sentence gives and no parameter takes, though it looks like a value: a second name after the first, or a number.
 * A call without it would do less than is asked for.
 */
export function findUnplaced(state: SlotState): string | undefined {
  const { tokens } = state;
  // Past so many tokens it is free text.
  for (let at = 0; at < Math.min(tokens.length, 200); at++) {
    const token = tokens[at];
    if (!token || !state.isFree(at)) continue;
    if (token.kind === 'number') return token.text;
    if (isFurtherChoice(state, at)) return token.text;
    if (isFurtherName(state, at)) return state.valueText(at, nameEnd(tokens, at));
  }
  return undefined;
}

/** `an oil change and an inspection` where one of the two can be asked for. */
function isFurtherChoice(state: SlotState, at: number): boolean {
  const before = state.tokens.slice(Math.max(0, at - 2), at).map(({ lower }) => lower);
  const and = before.findLastIndex((lower) => lower === 'and' || lower === ',');
  if (and === -1 || !before.slice(and + 1).every((lower) => ARTICLES.has(lower))) return false;
  const last = at - before.length + and - 1;
  return (
    state.isUsed(last) &&
    state.slots.some(
      ({ name, parameter }) =>
        parameter.enum !== undefined &&
        Object.hasOwn(state.args, name) &&
        findEnumHits(state.tokens, parameter).some((hit) => hit.exact && hit.from === at) &&
        findEnumHits(state.tokens, parameter).some((hit) => hit.to === last + 1),
    )
  );
}

/** `Max, Bella and Rex`. */
function isFurtherName(state: SlotState, at: number): boolean {
  const { tokens } = state;
  const isName = (index: number): boolean =>
    tokens[index]?.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(tokens[index].text);
  const between = tokens[at - 1]?.lower ?? '';
  return (
    isName(at) &&
    (between === 'and' || between === ',' || between === '&') &&
    state.isUsed(at - 2) &&
    isName(at - 2)
  );
}
