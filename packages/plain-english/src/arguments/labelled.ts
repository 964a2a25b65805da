import { BEFORE, LINKS, NOT_A_VALUE, STRONG } from './label-words';
import { spanEnd } from './label-span';
import { labelsAt, type Label } from './labels';
import { findTemporals } from './temporal';
import { isText, type Slot, type SlotState } from './slot-state';

/** Fills text parameters whose value is announced: `with subject Meeting`, `titled "X"`, `customer Ann`. */
export function fillLabelled(state: SlotState): void {
  for (let at = 0; at < state.tokens.length; at++) {
    if (!state.isFree(at)) continue;
    for (const label of labelsAt(state, at)) {
      if (Object.hasOwn(state.args, label.slot.name)) continue;
      const value = valueAfter(state, at, label);
      if (!value) continue;
      state.use(at, value.from);
      state.fill(label.slot, state.valueText(value.from, value.to), value.from, value.to);
      at = value.to - 1;
      break;
    }
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function valueAfter(state: SlotState, start: number, { slot, end }: Label): Span | undefined {
  if (!isText(slot)) return undefined;
  const { tokens } = state;
  const word = tokens[start]?.lower ?? '';
  let from = end;
  while (from < tokens.length && LINKS.has(tokens[from]?.lower ?? '') && isLink(state, from, word)) from++;
  const first = tokens[from];
  if (!first || !state.isFree(from)) return undefined;
  const announced =
    from > end || first.kind === 'quoted' || STRONG.has(word) || BEFORE.has(tokens[start - 1]?.lower ?? ',');
  if (!announced || (NOT_A_VALUE.has(first.lower) && from === end && !STRONG.has(word))) return undefined;
  if (labelsAt(state, from).some((other) => other.slot === slot || hasValue(state, from, other)))
    return undefined;
  return fitsFormat(slot, state, from, spanEnd(state, from, slot));
}

/** `to` leads on only after a verb: `assigned to Ann`, but not `a message to Ann`. */
function isLink(state: SlotState, at: number, label: string): boolean {
  const { lower } = state.tokens[at] ?? { lower: '' };
  if (lower === 'to') return /^(?:assign|set)/.test(label) || state.tokens[at - 1]?.lower === 'set';
  if (lower === 'it' || lower === 'that')
    return /^assign/.test(label) || state.tokens[at + 1]?.lower === 'says';
  if (lower === 'text') return false;
  if (lower === 'of') return !['name'].includes(label);
  return true;
}

function hasValue(state: SlotState, at: number, { end }: Label): boolean {
  const next = state.tokens[end];
  return next !== undefined && (next.text === ':' || next.kind === 'quoted') && at < end;
}

/** An e-mail parameter takes no other text. */
function fitsFormat(slot: Slot, state: SlotState, from: number, to: number): Span | undefined {
  const kind = state.tokens[from]?.kind;
  if (slot.roles.has('email')) return kind === 'email' ? { from, to: from + 1 } : undefined;
  if (slot.roles.has('url') && kind !== 'url' && kind !== 'domain') return undefined;
  const isMoment = [...slot.roles].every((role) => role === 'date' || role === 'time');
  if (isMoment && !findTemporals(state.tokens).some((one) => one.from === from)) return undefined;
  return to > from ? { from, to } : undefined;
}
