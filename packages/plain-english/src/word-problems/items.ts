import { groupedDigitsEnd } from '../text/digit-groups';
import { isSmallNumberWord } from '../text/number-words';
import { matchQuantity } from '../text/quantity';
import type { Token } from '../text/token';
import { minutesOf } from './clock';
import { measureOf } from './units';
import numbers from '../text/lexicon/numbers.json';

/** A word, a mark, or a number with all its words, as a story has them in a row. */
export interface Item {
  readonly kind: 'word' | 'mark' | 'number' | 'share' | 'time';
  readonly text: string;
  /** Of a number its value, of a share the part of one: 0.25, of a clock time its minutes since midnight. */
  readonly value: number;
  readonly currency?: string | undefined;
  /** True for a number of dozens. */
  readonly isDozen: boolean;
  /** Marks up to here, where one that ends a sentence counts twice: how far apart two amounts are. */
  readonly clause: number;
  /** True for four digits that may be a year. */
  readonly isYear: boolean;
  /** True for digits with a decimal point. */
  readonly isDecimal: boolean;
  /** True where a hyphen joins it to the next word, and for a clock time of a half of the day that is said. */
  readonly isJoined: boolean;
}

const STRONG = new Set(['.', ';', '?', '!']);
const WEAK = new Set([',', ':', '-', '–', '—', '(', ')', '&', '…']);
/** After these the story continues with another statement. */
export const JOINTS: ReadonlySet<string> = new Set(['and', 'but', 'then', 'plus', 'minus']);
const PARTS: Readonly<Record<string, number>> = numbers.parts;
const POLITE = new Set(['please', 'pls', 'plz', 'thanks', 'thx']);
const TIMES: Readonly<Record<string, number>> = { once: 1, twice: 2, thrice: 3 };

type Found = Pick<Item, 'kind' | 'value' | 'currency'> & {
  readonly next: number;
  readonly text?: string;
  readonly isJoined?: boolean;
};

/** The items of a text; undefined where its numbers are names, as those of a telephone number are. */
export function itemsOf(source: readonly Token[]): Item[] | undefined {
  const tokens = joinHalves(source.filter(({ lower }) => !POLITE.has(lower)).flatMap(splitHyphen));
  const items: Item[] = [];
  let clause = 0;
  for (let at = 0; at < tokens.length;) {
    if (groupedDigitsEnd(tokens, at) !== undefined && !isFraction(tokens, at)) return undefined;
    // `3 or 4 people`, `9 to 5`: which of them is not said.
    const isRange = tokens[at]?.lower === 'to' && items.at(-2)?.text !== 'from';
    if (
      (tokens[at]?.lower === 'or' || isRange) &&
      items.at(-1)?.kind === 'number' &&
      findNumber(tokens, at + 1)
    )
      return undefined;
    const token = tokens[at];
    if (!token) break;
    const { lower } = token;
    const found = findNumber(tokens, at);
    const next = found?.next ?? at + 1;
    const isMark = found === undefined && (STRONG.has(lower) || WEAK.has(lower));
    const asks =
      /^(?:how|what|whats|which)$/.test(lower) && items.length > 0 && items.at(-1)?.kind !== 'mark';
    if (isMark || JOINTS.has(lower) || asks) clause += STRONG.has(lower) ? 2 : 1;
    const isJoined =
      found !== undefined && tokens[next]?.text === '-' && touches(tokens, next - 1) && touches(tokens, next);
    items.push({
      text: found ? '#' : lower,
      kind: isMark ? 'mark' : 'word',
      value: 0,
      ...found,
      clause,
      isDozen: found?.kind === 'number' && tokens.slice(at, next).some(({ lower }) => lower === 'dozen'),
      isYear: found?.kind === 'number' && /^(?:1[5-9]|20)\d\d$/.test(token.text),
      isDecimal:
        found !== undefined && tokens.slice(at, next).some(({ text }) => /\d[.,]\d{1,2}$|^\.\d/.test(text)),
      isJoined: isJoined || found?.isJoined === true,
    });
    at = isJoined ? next + 1 : next;
  }
  return items;
}

/** `a year and a half` as `1.5 year`. */
function joinHalves(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(({ lower }, index) => {
    const words = [2, 3, 4].map((offset) => tokens[index + offset]?.lower).join(' ');
    return (
      /^(?:an?|one)$/.test(lower) &&
      words === 'and a half' &&
      measureOf(tokens[index + 1]?.lower ?? '') !== undefined
    );
  });
  const [article, unit] = tokens.slice(at, at + 2);
  if (at === -1 || !article || !unit) return tokens;
  const number: Token = { ...article, kind: 'number', text: '1.5', lower: '1.5', value: 1.5 };
  return [...tokens.slice(0, at), number, unit, ...tokens.slice(at + 5)];
}

function findNumber(tokens: readonly Token[], at: number): Found | undefined {
  const [token] = tokens.slice(at, at + 1);
  const time = token?.kind === 'time' ? minutesOf(token.lower) : undefined;
  if (time) return { kind: 'time', value: time.minutes, isJoined: time.isExact, next: at + 1 };
  const [word, next] = [tokens[at]?.lower ?? '', tokens[at + 1]?.lower ?? ''];
  const share = findShare(tokens, at);
  if (share) return share;
  if (Object.hasOwn(TIMES, word) && next !== 'as')
    return { kind: 'number', value: TIMES[word] ?? 1, next: at + 1, text: word };
  // `one hour at 60 km/h`
  const isCounted = measureOf(next) !== undefined && /^(?:at|@)$/.test(tokens[at + 2]?.lower ?? '');
  if (word === 'one' && !isCounted && !/^(?:hundred|thousand|million|dozen)$/.test(next)) return undefined;
  if ((word === 'a' && next !== 'dozen') || word === 'couple') return undefined;
  if (word === '-' && tokens[at + 1]?.kind === 'number' && touches(tokens, at) && !touches(tokens, at - 1)) {
    const positive = matchQuantity(tokens, at + 1);
    return positive && { kind: 'number', value: -positive.value, next: positive.next };
  }
  const found = matchQuantity(tokens, at);
  if (!found) return undefined;
  return found.percent
    ? { kind: 'share', value: found.value / 100, next: found.next }
    : { kind: 'number', value: found.value, currency: found.currency, next: found.next };
}

/** `half an hour`, `a quarter of`, `two thirds of`, `2/3 of`. */
function findShare(tokens: readonly Token[], at: number): Found | undefined {
  if (isFraction(tokens, at) && /^(?:of|full)$/.test(tokens[at + 3]?.lower ?? ''))
    return { kind: 'share', value: Number(tokens[at]?.value) / Number(tokens[at + 2]?.value), next: at + 3 };
  const odds = findOdds(tokens, at);
  if (odds) return odds;
  const word = (offset: number): string => tokens[at + offset]?.lower ?? '';
  const count =
    word(0) === 'half'
      ? undefined
      : word(0) === 'a' || word(0) === 'one'
        ? 1
        : matchQuantity(tokens, at)?.value;
  const offset = count === undefined ? 0 : 1;
  const parts = Object.hasOwn(PARTS, word(offset)) ? PARTS[word(offset)] : undefined;
  if (parts === undefined || (count === undefined && word(0) !== 'half')) return undefined;
  const value = (count ?? 1) / parts;
  const rest = [1, 2].map((extra) => word(offset + extra));
  const isOfTime = /^(?:an? )?(?:hour|day|year|minute|kilo|litre|mile|dozen)/.test(
    (rest[0] === 'of' ? [rest[1], word(offset + 3)] : rest).join(' '),
  );
  if (isOfTime) {
    const article = offset + (rest[0] === 'of' ? 2 : 1);
    return { kind: 'number', value, next: at + (/^an?$/.test(word(article)) ? article + 1 : article) };
  }
  return /^(?:of|on|is|are|was|were|as|goes|went|the|my|our|price|full|)$/.test(
    isEnd(rest[0]) ? '' : (rest[0] ?? ''),
  )
    ? { kind: 'share', value, next: at + offset + 1 }
    : undefined;
}

/** `1 in 4 of`, `two out of three of`. */
function findOdds(tokens: readonly Token[], at: number): Found | undefined {
  const part = tokens[at]?.lower === 'one' ? { value: 1, next: at + 1 } : matchQuantity(tokens, at);
  if (!part) return undefined;
  const isOut = tokens[part.next]?.lower === 'out' && tokens[part.next + 1]?.lower === 'of';
  if (!isOut && tokens[part.next]?.lower !== 'in') return undefined;
  const whole = matchQuantity(tokens, part.next + (isOut ? 2 : 1));
  const isPart = part.value <= 3 && part.value < (whole?.value ?? 0);
  const next = tokens[whole?.next ?? 0];
  const isShare = !isOut && isPart && next?.kind === 'word' && measureOf(next.lower) === undefined;
  return whole && (isShare || next?.lower === 'of')
    ? { kind: 'share', value: part.value / whole.value, next: whole.next }
    : undefined;
}

const isEnd = (word: string | undefined): boolean =>
  word === undefined || word === '' || STRONG.has(word) || WEAK.has(word);

function isFraction(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.kind === 'number' && tokens[at + 1]?.text === '/' && tokens[at + 2]?.kind === 'number';
}

/** `eight-hour` is a number and a unit. */
function splitHyphen(token: Token): Token[] {
  const cut = token.kind === 'word' ? token.lower.search(/[-–]/) : -1;
  const rest = token.lower.slice(cut + 1);
  if (cut < 1 || !isSmallNumberWord(token.lower.slice(0, cut)) || isSmallNumberWord(rest)) return [token];
  const part = (from: number, to: number): Token => ({
    ...token,
    text: token.text.slice(from, to),
    lower: token.lower.slice(from, to),
    start: token.start + from,
    end: token.start + to,
  });
  return [part(0, cut), part(cut + 1, token.lower.length)];
}

function touches(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return token !== undefined && next !== undefined && token.end === next.start;
}
