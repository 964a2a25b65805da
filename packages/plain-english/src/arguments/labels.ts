import { stem, wordsOf } from '../text/stem';
import { labelsOf } from './roles';
import type { Slot, SlotState } from './slot-state';
import { termsOf } from './tool-terms';

/** More tokens than a label has. */
const MAX_LABEL = 4;

export interface Label {
  readonly slot: Slot;
  /** First token after the label. */
  readonly end: number;
}

/** The labels that start at a token: a parameter's whole name, or one word for it. */
export function labelsAt(state: SlotState, at: number): Label[] {
  const token = state.tokens[at];
  if (token?.kind !== 'word') return [];
  return state.slots.flatMap((slot) => {
    const end = labelEnd(state, at, slot);
    return end === undefined ? [] : [{ slot, end }];
  });
}

function labelEnd(state: SlotState, at: number, { name, parameter }: Slot): number | undefined {
  const whole = wordsOf(name).slice(0, MAX_LABEL);
  if (whole.every((word, offset) => state.tokens[at + offset]?.lower === word)) return at + whole.length;
  const lower = state.tokens[at]?.lower ?? '';
  // `search books about jazz` begins with what to do, which announces nothing.
  const isCommand =
    lower !== name.toLowerCase() &&
    state.firstWord() === at &&
    termsOf(state.tool).verbs.includes(stem(lower));
  if (isCommand) return undefined;
  if (lower === name.toLowerCase() || labelsOf(name, parameter).has(lower)) return at + 1;
  return undefined;
}
