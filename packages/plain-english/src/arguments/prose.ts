import { afterVerb, hasContent } from './chunks';
import type { Slot, SlotState } from './slot-state';

/** The longest run of unused words after the verb: free text is what the sentence is mostly made of. */
export function fillProse(state: SlotState, slot: Slot): void {
  const start = afterVerb(state);
  let best: { from: number; to: number } | undefined;
  for (let at = start; at < state.tokens.length; at++) {
    if (!state.isFree(at)) continue;
    let end = at;
    while (end < state.tokens.length && state.isFree(end)) end++;
    const run = trimProse(state, at, end);
    if (run.to - run.from > (best ? best.to - best.from : 0)) best = run;
    at = end;
  }
  if (best && hasContent(state, best.from, best.to, true))
    state.fill(slot, state.valueText(best.from, best.to), best.from, best.to);
}

const LEADING = new Set(
  'and tell let know me us the a an to that this word words phrase text sentence message following : , ? for it with saying says him her in of into note there are'.split(
    ' ',
  ),
);
const TRAILING = new Set(
  'to into in from for with and please pls thanks as , . ? ! ; : by on at the it of'.split(' '),
);

function trimProse(state: SlotState, start: number, to: number): { from: number; to: number } {
  let from = start;
  // After a colon every word is part of the text.
  if (state.tokens[from]?.text === ':') return { from: from + 1, to: endOfProse(state, from + 1, to) };
  while (from < to && LEADING.has(state.tokens[from]?.lower ?? '')) {
    from++;
    // `tell her that the pool is closed`: from here on it is what is to be said.
    if (state.tokens[from - 1]?.lower === 'that') break;
  }
  return { from, to: endOfProse(state, from, to) };
}

function endOfProse(state: SlotState, from: number, end: number): number {
  let to = end;
  while (to > from && TRAILING.has(state.tokens[to - 1]?.lower ?? '')) to--;
  return to;
}
