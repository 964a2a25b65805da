import { ASKING, CONVERTING, isNumber } from './asked-unit';
import type { Item } from './items';
import { phraseStart, wordAt } from './nouns';
import { measureOf } from './units';

/** Words that a request may begin with where no question word is. */
const OPENING =
  /^(?:percent|percentage|average|total|cost|price|profit|net|gross|sum|add|convert|express|change|commission|tip|discount|interest|vat|tax|deposit|down)$/;

const CONDITION = new Set(['if', 'when', 'given', 'for', 'from', 'with', 'at', 'on', 'to', 'after']);

export function startOf(items: readonly Item[]): number | undefined {
  if (CONVERTING.test(wordAt(items, 0))) return 0;
  for (let at = items.length - 1; at >= 0; at--) {
    const isWhich = wordAt(items, at) === 'which' && /^per ?cent/.test(wordAt(items, at + 1));
    if (!ASKING.test(wordAt(items, at)) && !isWhich) continue;
    // `in one minute that's how many`
    const from = phraseStart(items, at);
    return isNumber(items, from - 1) ? at : from;
  }
  return requestOf(items) ?? fragmentOf(items);
}

/** `…, per person?`: words without a number at the end. */
function fragmentOf(items: readonly Item[]): number | undefined {
  // `minutes in 4.5 hours`
  if (measureOf(wordAt(items, 0)) !== undefined && wordAt(items, 1) === 'in') return 0;
  let end = items.length;
  while (items[end - 1]?.kind === 'mark') end--;
  let start = end;
  while (start > 0 && items[start - 1]?.kind === 'word') start--;
  const isConversion =
    measureOf(wordAt(items, end - 1)) !== undefined &&
    /^(?:in|to|into)$/.test(wordAt(items, end - 2)) &&
    start > 0;
  // `cost of 3 nights?`
  const isCut = isNumber(items, start - 1);
  if (isCut && !isConversion && start < end) while (start > 0 && items[start - 1]?.kind !== 'mark') start--;
  const asks =
    isConversion || items[end]?.text === '?' || /^(?:total|altogether)$/.test(wordAt(items, start));
  const isOther = /^(?:which|who|why|where|when|is|are|do|does|can|did)$/.test(wordAt(items, start));
  if (start < end && asks && !isOther) return start;
  // `average speed in km/h if i cycled 36 km in 90 minutes`
  return OPENING.test(wordAt(items, 0)) ? 0 : undefined;
}

/** `tell me the net price`, `work out its speed`, `put that in hours`: what follows the last verb that asks for it. */
function requestOf(items: readonly Item[]): number | undefined {
  const at = items.findLastIndex(
    ({ text }, index) =>
      /^(?:tell|know|find|determine|figure)$/.test(text) ||
      (text === 'work' && wordAt(items, index + 1) === 'out') ||
      (text === 'give' && wordAt(items, index + 1) === 'me') ||
      (/^(?:put|add|express|turn|convert)$/.test(text) &&
        /^(?:that|it|them|those|this)$/.test(wordAt(items, index + 1))),
  );
  return at === -1 ? undefined : at;
}

export function endOf(items: readonly Item[], from: number): number {
  let to = from + 1;
  while (
    items[to]?.kind === 'word' &&
    !(CONDITION.has(wordAt(items, to)) && isNumber(items, to + 1)) &&
    !/^(?:if|when|given)$/.test(wordAt(items, to))
  )
    to++;
  return to;
}
