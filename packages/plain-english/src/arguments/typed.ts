import type { Token } from '../text/token';
import { findEnumHits, type EnumHit } from './enums';
import { stem, wordsOf } from '../text/stem';
import { prepositionFit } from './roles';
import { isNumeric, isText, type Slot, type SlotState } from './slot-state';
import { findTemporals, joinTemporals, writeDate, writeTime, type Temporal } from './temporal';

const ARTICLES = new Set(['the', 'a', 'an', 'my', 'our', 'some']);

/** The preposition before a token, articles passed over. */
export function prepositionBefore(tokens: readonly Token[], at: number): string {
  let index = at - 1;
  while (ARTICLES.has(tokens[index]?.lower ?? '')) index--;
  return tokens[index]?.lower ?? '';
}

/** Fills parameters with choices, each choice by the preposition before it where several parameters share it. */
export function fillChoices(state: SlotState): void {
  const slots = state.open(({ parameter }) => parameter.enum !== undefined);
  const pairs = slots.flatMap((slot) =>
    findEnumHits(state.tokens, slot.parameter)
      .filter(({ from, to }) => state.areFree(from, to))
      .map((hit) => ({ slot, hit, fit: choiceFit(state, slot, hit) })),
  );
  pairs.sort((a, b) => b.fit - a.fit || a.hit.from - b.hit.from);
  for (const { slot, hit, fit } of pairs) {
    if (fit < 0 || Object.hasOwn(state.args, slot.name) || !state.areFree(hit.from, hit.to)) continue;
    state.fill(slot, hit.value, hit.from, hit.to);
    const label = state.tokens[hit.to];
    if (label && wordsOf(slot.name).includes(label.lower)) state.use(hit.to);
  }
}

/** Above 0 for a sign that the choice is meant for the parameter, below for one that it is not. */
function choiceFit(state: SlotState, slot: Slot, hit: EnumHit): number {
  const { tokens } = state;
  const preposition = prepositionBefore(tokens, hit.from);
  const exactness = hit.exact ? 0.05 : 0;
  const names = wordsOf(slot.name).map(stem);
  const near = [tokens[hit.from - 1], tokens[hit.from - 2], tokens[hit.to]].some(
    (token) =>
      token?.kind === 'word' &&
      names.includes(stem(token.lower)) &&
      token.lower !== 'to' &&
      token.lower !== 'from',
  );
  if (near) return 3 + exactness;
  const rivals = state.slots.filter((other) => other !== slot && sharesChoice(other, hit.value));
  if (rivals.length === 0) return 1 + exactness;
  const own = directionFit(slot, preposition, tokens, hit);
  // Several parameters share the choice: without a sign of its own it goes to the required ones.
  return own + exactness + (slot.parameter.required ? 0.5 : own > 0 ? 0 : -1);
}

function sharesChoice({ parameter }: Slot, value: string): boolean {
  return parameter.enum?.includes(value) === true;
}

function directionFit(slot: Slot, preposition: string, tokens: readonly Token[], hit: EnumHit): number {
  const words = new Set(wordsOf(slot.name));
  const isSource = slot.roles.has('origin') || words.has('source') || words.has('base');
  const isTarget = slot.roles.has('destination') || words.has('target') || words.has('dest');
  const amountBefore = tokens[hit.from - 1]?.kind === 'number' || tokens[hit.from + 1]?.kind === 'number';
  if (['to', 'into', 'in', 'as', 'for'].includes(preposition)) return isTarget ? 2 : isSource ? -3 : 0;
  if (preposition === 'from' || preposition === 'of') return isSource ? 2 : isTarget ? -3 : 0;
  if (amountBefore) return isSource ? 2 : isTarget ? -3 : 0;
  return prepositionFit(slot.roles, preposition);
}

const FORMATS: readonly (readonly [
  role: 'email' | 'url' | 'file' | 'id' | 'code' | 'phone',
  (token: Token) => boolean,
])[] = [
  ['email', ({ kind }) => kind === 'email'],
  ['url', ({ kind }) => kind === 'url' || kind === 'domain'],
  ['file', ({ kind, value }) => kind === 'file' || (kind === 'quoted' && /\.\w{2,5}$/.test(String(value)))],
  ['id', ({ text, kind }) => kind === 'word' && isIdLike(text)],
  ['code', ({ text, kind }) => kind === 'word' && /^[A-Z][A-Z0-9.]{1,5}$/.test(text)],
  ['phone', ({ text, kind }) => kind === 'phone' || (kind === 'number' && /^\d{6,}$/.test(text))],
];

export function isIdLike(text: string): boolean {
  return /\d/.test(text) && (/^[A-Z]+[-_]?\d[\w-]*$/i.test(text) || (text.includes('-') && text.length >= 8));
}

/** Fills parameters whose values have a form of their own: addresses, file names, ids, ticker symbols. */
export function fillFormats(state: SlotState): void {
  for (const [role, matches] of FORMATS) {
    for (const slot of state.open((one) => isText(one) && one.roles.has(role))) {
      const at = state.tokens.findIndex((token, index) => state.isFree(index) && matches(token));
      if (at !== -1) state.fill(slot, state.valueText(at, at + 1), at, at + 1);
    }
  }
  for (const slot of state.open((one) => isText(one) && one.roles.has('id'))) fillNumberId(state, slot);
}

/** `order 1234`, `#1234`. */
function fillNumberId(state: SlotState, slot: Slot): void {
  const at = state.tokens.findIndex(({ kind }, index) => state.isFree(index) && kind === 'number');
  const before = state.tokens[at - 1];
  if (at === -1 || !before) return;
  // What is required and open needs the number more, and `transfer 250` is an amount.
  if (!slot.parameter.required && state.open((one) => one.parameter.required && isNumeric(one)).length > 0)
    return;
  const nouns = wordsOf(state.tool.name).slice(1);
  const names = new Set([...wordsOf(slot.name), ...nouns, 'number', 'id', 'no', 'nr']);
  if (before.text === '#' || names.has(before.lower)) {
    state.fill(slot, state.tokens[at]?.text ?? '', at, at + 1);
    state.use(at - 1);
  }
}

/** Fills dates and times as they are written; where one parameter takes both, they stay together. */
export function fillTemporals(state: SlotState): void {
  const slots = state.open((slot) => isText(slot) && (slot.roles.has('date') || slot.roles.has('time')));
  if (slots.length === 0) return;
  const found = findTemporals(state.tokens).filter(({ from, to }) => state.areFree(from, to));
  const spans = slots.length === 1 ? joinTemporals(state.tokens, found) : found;
  for (const slot of slots) {
    const span = spans.find((one) => state.areFree(one.from, one.to) && suits(slot, one, slots.length));
    if (span) fillTemporal(state, slot, span);
  }
}

function suits({ roles }: Slot, { date, time }: Temporal, slots: number): boolean {
  if (slots === 1) return true;
  return (
    (date && roles.has('date') && !roles.has('time')) ||
    (time && roles.has('time')) ||
    (date && roles.has('date'))
  );
}

function fillTemporal(state: SlotState, slot: Slot, { from, to }: Temporal): void {
  const text = state.valueText(from, to);
  const { description } = slot.parameter;
  state.fill(slot, writeDate(writeTime(text, description), description), from, to);
  if (['on', 'at', 'by'].includes(state.tokens[from - 1]?.lower ?? '')) state.use(from - 1);
}
