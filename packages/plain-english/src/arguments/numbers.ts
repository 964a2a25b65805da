import { cleanNumber, matchQuantity } from '../text/quantity';
import { stem, wordsOf } from '../text/stem';
import { labelsOf, unitStems } from './roles';
import { isNumeric, type Slot, type SlotState } from './slot-state';

interface NumberHit {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** Fills numbers: by their unit or label first, then what is required in order. */
export function fillNumbers(state: SlotState): void {
  const slots = state.open(isNumeric);
  if (slots.length === 0) return;
  const hits = findNumbers(state);
  const pairs = slots.flatMap((slot) => hits.map((hit) => ({ slot, hit, fit: numberFit(state, slot, hit) })));
  pairs.sort((a, b) => b.fit - a.fit);
  for (const { slot, hit, fit } of pairs) if (fit > 0) take(state, slot, hit);
  for (const slot of state.open(isNumeric)) {
    if (!slot.parameter.required) continue;
    const next = hits.find(({ from, to }) => state.areFree(from, to));
    if (next) take(state, slot, next);
  }
}

function take(state: SlotState, slot: Slot, { value, from, to }: NumberHit): void {
  if (Object.hasOwn(state.args, slot.name) || !state.areFree(from, to)) return;
  if (slot.parameter.type === 'integer' && !Number.isInteger(value)) return;
  state.fill(slot, inUnitOf(slot, value, state.tokens[to]?.lower ?? ''), from, to);
  if (timeUnit(state.tokens[to]?.lower ?? '') !== undefined) state.use(to);
  const unit = state.tokens[to];
  if (unit?.kind === 'word' && unitStems(slot.name, slot.parameter).has(stem(unit.lower))) state.use(to);
}

/** `half an hour` */
function matchHalf({ tokens }: SlotState, at: number): { value: number; next: number } | undefined {
  const isHalf = tokens[at]?.lower === 'half' && ['a', 'an'].includes(tokens[at + 1]?.lower ?? '');
  return isHalf && timeUnit(tokens[at + 2]?.lower ?? '') !== undefined
    ? { value: 0.5, next: at + 2 }
    : undefined;
}

function findNumbers(state: SlotState): NumberHit[] {
  const hits: NumberHit[] = [];
  for (let at = 0; at < state.tokens.length;) {
    const found = state.isFree(at) ? (matchHalf(state, at) ?? matchQuantity(state.tokens, at)) : undefined;
    const isPronoun = state.tokens[at]?.lower === 'one' && !state.tokens[at + 1];
    if (found && !isPronoun) {
      const minus = state.tokens[at - 1];
      const negative =
        minus?.text === '-' &&
        minus.end === state.tokens[at]?.start &&
        state.tokens[at - 2]?.kind !== 'number';
      const sign = negative || minus?.lower === 'minus' || minus?.lower === 'negative' ? -1 : 1;
      hits.push({ value: sign * found.value, from: at, to: found.next });
    }
    at = found?.next ?? at + 1;
  }
  return hits;
}

const MONEY = /^(?:euros?|dollars?|pounds?|francs?|bucks|cents|usd|eur|gbp|chf|jpy|yen)$/;
/** A unit that several parameters have, such as pixels, tells none of them. */
function isShared(state: SlotState, slot: Slot, unit: string): boolean {
  return state.slots.some(
    (other) => other !== slot && isNumeric(other) && unitStems(other.name, other.parameter).has(unit),
  );
}

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
const SHORT_UNITS: Readonly<Record<string, string>> = { sec: 'second', min: 'minute', hr: 'hour', h: 'hour' };

/** The seconds in a unit of time. */
function timeUnit(word: string): number | undefined {
  const single = word.endsWith('s') && word.length > 1 ? word.slice(0, -1) : word;
  return SECONDS[SHORT_UNITS[single] ?? single];
}

/** `2 hours` for a parameter that counts minutes is 120. */
function inUnitOf({ name, parameter }: Slot, value: number, word: string): number {
  const given = timeUnit(word);
  const wanted = wordsOf(`${name} ${parameter.description}`)
    .map(timeUnit)
    .find((unit) => unit !== undefined);
  return given === undefined || wanted === undefined ? value : cleanNumber((value * given) / wanted);
}

const AT_MOST = /^(?:most|top|first|to|than|only|last|maximum|max)$/;

/** 3 for a label before the number, 2 for a unit after it, 0 for no sign. */
function numberFit(state: SlotState, slot: Slot, { from, to }: NumberHit): number {
  const { tokens } = state;
  const labels = labelsOf(slot.name, slot.parameter);
  const names = new Set([...labels, ...wordsOf(slot.name)]);
  for (let back = 1; back <= 3; back++) {
    const before = tokens[from - back];
    if (!before) break;
    if (before.kind === 'word' && names.has(before.lower)) return 4 - back * 0.2;
    if (!['of', 'to', 'is', 'at', ':', '=', 'as', 'set', 'the', 'a'].includes(before.lower)) break;
  }
  const units = unitStems(slot.name, slot.parameter);
  const own = new Set(wordsOf(slot.name).map(stem));
  // `6-sided`
  const start = tokens[to]?.text === '-' ? to + 1 : to;
  for (let ahead = 0; ahead < 2; ahead++) {
    const after = tokens[start + ahead];
    if (after?.kind !== 'word' && after?.text !== '%') break;
    const word = stem(after.lower);
    if (own.has(word)) return 3 - ahead * 0.5;
    if (units.has(word) && !isShared(state, slot, word)) return 2 - ahead * 0.5;
  }
  const isMoney = tokens[from]?.kind === 'symbol' || MONEY.test(tokens[to]?.lower ?? '');
  if (
    (isMoney || tokens[from - 1]?.kind === 'symbol') &&
    /^(?:amount|price|cost|budget|total)/.test(slot.name)
  )
    return 1.5;
  const isLimit = names.has('limit') || names.has('max') || names.has('top');
  return isLimit && AT_MOST.test(tokens[from - 1]?.lower ?? '') ? 3.5 : 0;
}
