import { findTemporals, isCalendarWord, type Temporal } from '../text/temporal';
import type { Token } from '../text/token';
import { matchQuantity } from '../text/quantity';

/** Dates and times of a text, also as people write them short: `Fri 6 June`, `last Saturday`, `05/11`, `half past four`. */
export function findMoments(tokens: readonly Token[]): Temporal[] {
  const known = findTemporals(tokens);
  const found: Temporal[] = [];
  for (let at = 0; at < tokens.length;) {
    const one = known.find(({ from }) => from === at) ?? shortAt(tokens, at);
    const last = found.at(-1);
    if (one && last?.date && one.date && joins(tokens, last, one))
      found[found.length - 1] = { ...last, to: one.to };
    else if (one)
      found.push(tokens[one.from - 1]?.lower === 'last' && one.date ? { ...one, from: one.from - 1 } : one);
    at = one ? one.to : at + 1;
  }
  return found;
}

/** `Friday, 6 June` is one date. */
function joins(tokens: readonly Token[], last: Temporal, next: Temporal): boolean {
  const isDay = last.to === last.from + 1 && isCalendarWord(tokens[last.from]?.lower ?? '');
  const gap = next.from - last.to;
  return isDay && next.to > next.from + 1 && (gap === 0 || (gap === 1 && tokens[last.to]?.text === ','));
}

function shortAt(tokens: readonly Token[], at: number): Temporal | undefined {
  const to = clockEnd(tokens, at);
  if (to !== undefined) return { from: at, to, date: false, time: true };
  const end = slashedEnd(tokens, at);
  return end === undefined ? undefined : { from: at, to: end, date: true, time: false };
}

/** `half past four`, `ten to six`, `8.30 am`. */
function clockEnd(tokens: readonly Token[], at: number): number | undefined {
  const lower = (offset: number): string => tokens[at + offset]?.lower ?? '';
  if (tokens[at]?.kind === 'number' && /^[ap]\.?m\.?$/.test(lower(1))) return at + 2;
  const minutes = /^(?:half|quarter)$/.test(lower(0)) ? 1 : (matchQuantity(tokens, at)?.next ?? at) - at;
  const isLink = lower(minutes) === 'past' || (lower(minutes) === 'to' && lower(0) !== 'half' && minutes > 0);
  if (minutes === 0 || !isLink || (lower(minutes) === 'to' && tokens[at]?.kind === 'number'))
    return undefined;
  const hour = matchQuantity(tokens, at + minutes + 1);
  return hour && hour.value >= 1 && hour.value <= 12 ? hour.next : undefined;
}

/** `21/09` and `21/09/2026`. */
function slashedEnd(tokens: readonly Token[], at: number): number | undefined {
  for (const size of [5, 3]) {
    const parts = tokens.slice(at, at + size);
    const written = parts.map(({ text }) => text).join('');
    const isOne = (parts.at(-1)?.end ?? 0) - (parts[0]?.start ?? 0) === written.length;
    const [, ...days] =
      /^([1-9]|0[1-9]|[12]\d|3[01])\/([1-9]|0[1-9]|[12]\d|3[01])(?:\/\d{1,4})?$/.exec(written) ?? [];
    if (isOne && days.length > 0 && Math.min(...days.map(Number)) <= 12) return at + size;
  }
  return undefined;
}
