import { cleanNumber, matchQuantity } from '../text/quantity';
import { wordsOf } from '../text/stem';
import type { Token } from '../text/token';
import { isNumberOfName } from './numbered-names';
import { plainStem, type Slot } from './slots';
import { unitOf, type Unit } from './units';
import vocabulary from './vocabulary.json';

/** A number in a sentence. */
export interface NumberSpan {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly isMoney: boolean;
  /** True for the number of `Unit 7`. */
  readonly isOfName?: boolean;
}

/** Every number in digits or words, with `x3`, `a single ticket` and `half an hour`. */
export function findNumbers(tokens: readonly Token[]): NumberSpan[] {
  const found: NumberSpan[] = [];
  for (let at = 0; at < tokens.length;) {
    const hit = isPronoun(tokens, at) ? undefined : numberAt(tokens, at);
    if (hit)
      found.push({ ...hit, value: signOf(tokens, at) * hit.value, isOfName: isNumberOfName(tokens, at) });
    at = hit?.to ?? at + 1;
  }
  return found;
}

function numberAt(tokens: readonly Token[], at: number): NumberSpan | undefined {
  const token = tokens[at];
  const times = token?.kind === 'word' ? /^x(\d{1,6})$/.exec(token.lower)?.[1] : undefined;
  if (times !== undefined) return { from: at, to: at + 1, value: Number(times), isMoney: false };
  const next = tokens[at + 1]?.lower ?? '';
  if (token?.lower === 'half' && (next === 'a' || next === 'an') && unitOf(tokens[at + 2]?.lower ?? ''))
    return { from: at, to: at + 2, value: 0.5, isMoney: false };
  // `for a week`
  const isOne =
    /^(?:a|an)$/.test(token?.lower ?? '') &&
    tokens[at - 1]?.lower === 'for' &&
    unitOf(next)?.measure === 'time';
  if (isOne) return { from: at, to: at + 1, value: 1, isMoney: false };
  if (token?.lower === 'single' && (tokens[at - 1]?.lower === 'a' || tokens[at - 1]?.lower === 'one'))
    return tokens[at - 1]?.lower === 'a' ? { from: at, to: at + 1, value: 1, isMoney: false } : undefined;
  const quantity = matchQuantity(tokens, at);
  if (!quantity) return undefined;
  const { value, next: to, currency } = quantity;
  if (countsRequests(tokens, to)) return undefined;
  const isMoney = currency !== undefined || MONEY.test(tokens[to]?.lower ?? '');
  return { from: currency !== undefined && token?.kind === 'symbol' ? at + 1 : at, to, value, isMoney };
}

function isPronoun(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.lower !== 'one') return false;
  const [before, after = ','] = [tokens[at - 1]?.lower ?? '', tokens[at + 1]?.lower];
  if (/^[,.;!?]$/.test(after) && /^(?:the|that|this)$/.test(tokens[at - 2]?.lower ?? '')) return true;
  return (
    /^(?:the|that|this|which|any|no|every|each|another)$/.test(before) || after === 'of' || after === 'day'
  );
}

/** `two things:` counts what follows. */
function countsRequests(tokens: readonly Token[], at: number): boolean {
  return /^(?:things?|requests?|questions?|favou?rs?)$/.test(tokens[at]?.lower ?? '');
}

function signOf(tokens: readonly Token[], at: number): number {
  const minus = tokens[at - 1];
  const isSign =
    minus?.text === '-' && minus.end === tokens[at]?.start && tokens[at - 2]?.end !== minus.start;
  return isSign || minus?.lower === 'minus' || minus?.lower === 'negative' ? -1 : 1;
}

const MONEY = /^(?:euros?|dollars?|pounds?|francs?|bucks|cents|usd|eur|gbp|chf|jpy|yen|quid)$/;

export function isCurrency(word: string): boolean {
  return MONEY.test(word);
}

const OF_MONEY =
  /\b(?:amount|price|cost|budget|total|fee|sum|value|salary|loss|spent|paid|pay|money|euros?|dollars?|pounds?|francs?)\b/i;

/** The unit that a parameter counts in, as its name or else its description says. */
export function unitOfSlot({ nameWords, parameter }: Slot): Unit | undefined {
  const words = [...nameWords, ...wordsOf(parameter.description)].filter((word) => word.length > 1);
  return words.map(unitOf).find((unit) => unit !== undefined);
}

/** `2 hours` for a parameter that counts minutes is 120. */
export function inUnitOf(slot: Slot, value: number, word: string): number {
  const [given, wanted] = [unitOf(word), unitOfSlot(slot)];
  return given && wanted?.measure === given.measure ? cleanNumber((value * given.size) / wanted.size) : value;
}

const ALIKE = vocabulary.counted.map((group) => new Set(group.split(' ').map(plainStem)));

/** What the words after a number say that it counts or measures, for a parameter. */
export function measureOf(slot: Slot, tokens: readonly Token[], { to, isMoney }: NumberSpan): string[] {
  const wanted = unitOfSlot(slot);
  const given = unitOf(tokens[to]?.lower ?? '');
  const last = tokens[to - 1]?.lower ?? '';
  if (last === '%' || last === 'percent') return [slot.words.has('percent') ? 'percent' : 'other percent'];
  if (given) return [wanted?.measure === given.measure ? 'measure' : 'other measure'];
  const isOfMoney = OF_MONEY.test(`${slot.nameWords.join(' ')} ${slot.parameter.description}`);
  if (isMoney) return [isOfMoney ? 'money' : 'other money'];
  const counted = countedBy(slot, tokens, to);
  return [counted, ...(wanted ? ['without unit'] : []), ...(isOfMoney ? ['without currency'] : [])];
}

/** Which word of the parameter follows a number, and how soon. */
function countedBy(slot: Slot, tokens: readonly Token[], start: number): string {
  for (let at = start; at < Math.min(start + 4, tokens.length); at++) {
    const token = tokens[at];
    if (!token || (token.kind !== 'word' && token.text !== '-')) break;
    const fit = wordFit(slot, plainStem(token.lower));
    if (fit !== '') return `counts ${fit}${at > start + 1 ? ' far' : ''}`;
    if (/^(?:for|to|at|on|in|from|by|with|and)$/.test(token.lower)) break;
  }
  return 'counts nothing';
}

function wordFit({ nameStems, words, own }: Slot, word: string): string {
  if (nameStems.has(word)) return 'name';
  if (own.has(word)) return 'own';
  if (ALIKE.some((group) => group.has(word) && [...words].some((one) => group.has(one)))) return 'alike';
  return words.has(word) ? 'word' : '';
}
