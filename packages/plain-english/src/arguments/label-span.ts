import { looksLikeExample } from './examples';
import { ENDS_SHORT, SEPARATORS, SHORT, STRONG } from './label-words';
import { labelsAt } from './labels';
import { isNameSlot, nameEnd } from './names';
import type { Slot, SlotState } from './slot-state';
import { findTemporals } from './temporal';

/** Where a value ends that starts at a token. */
export function spanEnd(state: SlotState, from: number, slot: Slot): number {
  const { tokens } = state;
  const first = tokens[from];
  if (!first || first.kind === 'quoted' || looksLikeExample(slot, first)) return from + 1;
  // A name written with capitals ends with them.
  if (isNameSlot(slot) && /^\p{Lu}\p{Ll}/u.test(first.text)) return nameEnd(tokens, from);
  const short =
    SHORT.some((role) => slot.roles.has(role)) && !slot.roles.has('text') && !slot.roles.has('title');
  const moments = momentsOf(state, slot);
  let to = from + 1;
  for (; to < tokens.length; to++) {
    const { lower = '', kind } = tokens[to] ?? {};
    if (!state.isFree(to) || (short && ENDS_SHORT.has(lower)) || moments.has(to)) break;
    if (STRONG.has(lower) && announcesOther(state, to, slot)) break;
    if (kind !== 'quoted' && SEPARATORS.has(lower) && startsLabel(state, to, slot)) break;
  }
  while (
    to > from + 1 &&
    /^[,.;!?]$|^(?:and|with|please|thanks|pls|on|at|by|for)$/.test(tokens[to - 1]?.lower ?? '')
  )
    to--;
  return to;
}

/** Where dates and times start that another parameter asks for; a message may speak of any. */
function momentsOf(state: SlotState, slot: Slot): ReadonlySet<number> {
  const wanted = state.open(
    (other) => other !== slot && (other.roles.has('date') || other.roles.has('time')),
  );
  if (slot.roles.has('text') || wanted.length === 0) return new Set();
  return new Set(findTemporals(state.tokens).map(({ from }) => from));
}

/** `about the party saying …`: the text of another parameter begins. */
function announcesOther(state: SlotState, at: number, current: Slot): boolean {
  return labelsAt(state, at).some(({ slot }) => slot !== current && !Object.hasOwn(state.args, slot.name));
}

/** True where what follows a separator is about another parameter. */
function startsLabel(state: SlotState, separator: number, current: Slot): boolean {
  for (let at = separator + 1; at <= separator + 3; at++) {
    const token = state.tokens[at];
    if (token?.kind !== 'word') return false;
    const other = labelsAt(state, at).find(
      ({ slot, end }) => slot !== current && (!Object.hasOwn(state.args, slot.name) || state.isUsed(end)),
    );
    if (other) return isFollowed(state, other.end) || other.slot.parameter.enum !== undefined;
    if (!['the', 'a', 'an', 'with', 'and', 'its'].includes(token.lower) && !isChoice(state, token.lower))
      return false;
  }
  return false;
}

function isChoice(state: SlotState, word: string): boolean {
  return state.slots.some(({ parameter }) => parameter.enum?.some((choice) => choice.toLowerCase() === word));
}

function isFollowed(state: SlotState, at: number): boolean {
  const next = state.tokens[at];
  return next !== undefined && !/^[,.;!?]$/.test(next.text);
}
