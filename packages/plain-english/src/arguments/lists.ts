import { setOf } from '../text/lexicon/words';
import { labelsIn } from './labels';
import { plainStem, type Slot } from './slots';
import { MAX_TOKENS, type Range } from './spans';
import { STOP_WORDS } from '../text/stop-words';
import { isCapital } from './names';
import { valueText, type Candidate, type View } from './view';

const LINKS = setOf(': = with it by as are is of the some and them to');
const ENDS = setOf('on as for at to in from with by please thanks thx pls and then but is are should');
const BACK = setOf('as on for in');
/** Words of one item: `fresh sea salt`. */
const MAX_ITEM_WORDS = 3;
const MAX_ITEMS = 20;

/** Items in a row: `toppings: sesame, sea salt`, `tagged vpn and remote`, `chocolate and almonds as toppings`. */
export function listCandidates(view: View, slot: Slot): Candidate[] {
  const head = plainStem(slot.nameWords.at(-1) ?? '');
  const { tokens } = view;
  const labelled = tokens.slice(0, MAX_TOKENS).flatMap(({ kind, lower, value }, at) => {
    if (kind === 'json' && Array.isArray(value))
      return [{ slot, from: at, to: at + 1, value, features: ['json list'], isCertain: true }];
    const one = plainStem(lower);
    const isHead = one === head || (one.length > 2 && head === `${one}s`);
    // `with walnuts on top` for toppings.
    if (kind !== 'word' || (!isHead && !(head.length > 3 && head.startsWith(one) && one.length > 2)))
      return [];
    return (
      backward(view, slot, at) ??
      (isHead && tokens[at - 1]?.lower !== 'on' ? forward(view, slot, at) : undefined) ??
      []
    );
  });
  return [...labelled, ...enumerations(view, slot)];
}

/** `with Ann, Bob and Carla`: several names, or several things after a preposition that leads to the parameter. */
function enumerations(view: View, slot: Slot): Candidate[] {
  const { tokens } = view;
  return tokens.slice(0, MAX_TOKENS).flatMap(({ lower }, at) => {
    const isLed = /^(?:with|including|invite|add)$/.test(tokens[at - 1]?.lower ?? '');
    const isName = isCapital(tokens[at]) && !isCapital(tokens[at - 1]);
    if ((!isLed && !isName) || STOP_WORDS.has(lower)) return [];
    const items = readItems(view, slot, at);
    const to = items.at(-1)?.to;
    if (
      to === undefined ||
      items.length < 2 ||
      (isName && !items.every(({ from }) => isCapital(tokens[from])))
    )
      return [];
    return [
      toCandidate(view, slot, items, { from: at, to }, [
        'row',
        ...(isLed ? ['led'] : []),
        ...(isName ? ['names'] : []),
      ]),
    ];
  });
}

function forward(view: View, slot: Slot, at: number): Candidate[] | undefined {
  let from = at + 1;
  while (LINKS.has(view.tokens[from]?.lower ?? '')) from++;
  const items = readItems(view, slot, from);
  const to = items.at(-1)?.to;
  if (to === undefined) return undefined;
  return [
    toCandidate(view, slot, items, { from: at, to }, [
      from > at + 1 ? 'behind label and link' : 'behind label',
    ]),
  ];
}

/** From the label back: the items end before `as` or `on`. */
function backward(view: View, slot: Slot, at: number): Candidate[] | undefined {
  const { tokens } = view;
  if (!BACK.has(tokens[at - 1]?.lower ?? '') || tokens[at + 1]?.text === ':') return undefined;
  let from = at - 1;
  while (from > 0 && at - from < 12 && isBackward(view, from - 1)) from--;
  while (/^(?:,|and|&)$/.test(tokens[from]?.lower ?? '')) from++;
  const items = readItems(view, slot, from, at - 1);
  return items.at(-1)?.to === at - 1
    ? [toCandidate(view, slot, items, { from, to: at + 1 }, ['before label'])]
    : undefined;
}

function isBackward({ tokens, spans }: View, at: number): boolean {
  const { kind, lower = '' } = tokens[at] ?? {};
  if (spans.temporals.some(({ from, to }) => at >= from && at < to)) return false;
  return (kind === 'word' && (!ENDS.has(lower) || lower === 'and')) || lower === ',' || lower === '&';
}

function readItems(view: View, slot: Slot, start: number, limit = view.tokens.length): Range[] {
  const { tokens } = view;
  const items: Range[] = [];
  let at = start;
  for (let isLast = false; at < limit && items.length < MAX_ITEMS;) {
    let to = at;
    while (to < limit && to - at < MAX_ITEM_WORDS && isItemWord(view, slot, to)) to++;
    if (to === at || (items.length > 0 && isOther(view, slot, at))) break;
    items.push({ from: at, to });
    if (isLast && tokens[to]?.text !== ',') break;
    const comma = tokens[to]?.text === ',' ? 1 : 0;
    const and = /^(?:and|&)$/.test(tokens[to + comma]?.lower ?? '') ? 1 : 0;
    if (comma + and === 0 || isLast) break;
    isLast = and === 1;
    at = to + comma + and;
  }
  return items;
}

/** True where what follows a comma is about another parameter. */
function isOther(view: View, slot: Slot, at: number): boolean {
  const other = (one: Slot): boolean => one !== slot;
  if (labelsIn(view).some((label) => other(label.slot) && label.from === at)) return true;
  const lower = view.tokens[at]?.lower ?? '';
  return view.slots.some(
    (one) => other(one) && lower.split('-').some((part) => one.own.has(plainStem(part))),
  );
}

function isItemWord({ tokens, spans }: View, { nameStems }: Slot, at: number): boolean {
  const token = tokens[at];
  if (!token || spans.temporals.some(({ from, to }) => at >= from && at < to)) return false;
  if (token.kind === 'quoted') return true;
  return (
    (token.kind === 'word' || token.kind === 'dotted') &&
    !ENDS.has(token.lower) &&
    !nameStems.has(plainStem(token.lower))
  );
}

function toCandidate(
  view: View,
  slot: Slot,
  items: readonly Range[],
  range: Range,
  features: readonly string[],
): Candidate {
  const withoutArticle = (item: Range): Range =>
    /^(?:the|a|an|some)$/.test(view.tokens[item.from]?.lower ?? '') && item.to > item.from + 1
      ? { ...item, from: item.from + 1 }
      : item;
  return {
    slot,
    ...range,
    value: items.map((item) => valueText(view, withoutArticle(item))),
    features: ['list', ...features, items.length > 1 ? 'several' : 'one'],
    isCertain: true,
  };
}
