import { isSmallNumberWord } from '../text/number-words';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { isText, type Slot, type SlotState } from './slot-state';

/** Kinds of parameters that no counted thing is the value of. */
const OTHER = [
  'email',
  'url',
  'file',
  'date',
  'time',
  'id',
  'code',
  'phone',
  'text',
  'person',
  'place',
  'topic',
] as const;
const MANY = new Set(['many', 'much', 'of', 'pieces', 'more']);

/** Fills the one thing asked for with what stands after its number: `60 pillows`, `that many gloves`. */
export function fillCounted(state: SlotState): void {
  const [slot, ...others] = state.open((one) => one.parameter.required && isThing(one));
  if (!slot || others.length > 0) return;
  for (let at = 1; at < state.tokens.length; at++) {
    if (!isCount(state, at - 1)) continue;
    let from = at;
    while (MANY.has(state.tokens[from]?.lower ?? '')) from++;
    let to = from;
    while (isWordOfThing(state, to)) to++;
    if (to === from) continue;
    state.use(at, from);
    state.fill(slot, state.valueText(from, to), from, to);
    return;
  }
}

function isThing(slot: Slot): boolean {
  return isText(slot) && !OTHER.some((role) => slot.roles.has(role));
}

/** A number that another parameter has taken, or a pointer to one. */
function isCount(state: SlotState, at: number): boolean {
  const { kind, lower = '' } = state.tokens[at] ?? {};
  if (!state.isUsed(at)) return false;
  return (
    kind === 'number' ||
    (lower === 'that' && state.tokens[at + 1]?.lower === 'many') ||
    isSmallNumberWord(lower)
  );
}

function isWordOfThing(state: SlotState, at: number): boolean {
  const { kind, lower = '' } = state.tokens[at] ?? {};
  return kind === 'word' && state.isFree(at) && !STOP_WORDS.has(lower) && !POLITENESS.has(lower);
}
