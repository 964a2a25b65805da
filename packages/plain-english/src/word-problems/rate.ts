import type { Fact } from './fact';
import { ADVERBS, TIME_UNITS, unitOf } from './units';

/** Verbs between one thing and how much of something it has. */
const HAVING =
  'holds? contains? has|have costs? cost weighs? takes? seats? fits? needs? uses? is makes? gets? pays? earns? lasts? carries carry produces? packs? stores? eats? drinks? fills? covers?'.replaceAll(
    ' ',
    '|',
  );
const HAS = new RegExp(`^(?:${HAVING})$`);
const HOLDER = new RegExp(
  `(?:^| )(each|every|one|a|an)(?: ([\\p{L}-]{1,30}))?(?: ([\\p{L}-]{1,30}))?(?: of(?: [\\p{L}-]{1,30}){1,2})? (?:can )?(?:${HAVING})(?: (?:for|about|exactly|only|up|to|them)){0,2}$`,
  'u',
);
/** True after `a coat costs`, where `a` may as well introduce the one coat there is. */
export function isSingle(before: readonly string[], after: readonly string[]): boolean {
  if (CONTAINED.test(after.join(' '))) return true;
  const article = HOLDER.exec(before.slice(-9).join(' '))?.[1];
  return article === 'a' || article === 'an';
}

/** `12 eggs in a carton`. */
const CONTAINED =
  /^(?:[\p{L}-]{1,30} ){1,2}(?:are |fit |go )?(?:in|into|to|on) (?:an?|one|each|every) ([\p{L}-]{1,30})/u;
const EACH = new Set(['each', 'apiece']);

/** What one of has so much: `14 dollars each`, `3 tablets a day`, `each box holds 24`; undefined for a plain amount. */
export function rateOf(
  before: readonly string[],
  after: readonly string[],
  previous: Fact | undefined,
  isMoney: boolean,
): string | undefined {
  return perAfter(after, isMoney) ?? perBefore(before, previous);
}

function perAfter(after: readonly string[], isMoney: boolean): string | undefined {
  const container = CONTAINED.exec(after.join(' '))?.[1];
  if (container !== undefined) return unitOf(container);
  for (const [index, word] of after.slice(0, 5).entries()) {
    const next = after[index + 1];
    if (word === 'mph') return unitOf('hour');
    if (word === 'kmh' || word === 'kph') return unitOf('hour');
    // `26 students each need 3`: the rate is what follows.
    if (EACH.has(word) && next !== undefined && HAS.test(next)) return undefined;
    if (EACH.has(word) || (word === 'a' && next === 'piece')) return 'each';
    if ((word === 'per' || word === 'every' || word === '/') && next !== undefined) return unitOf(next);
    if ((word === 'a' || word === 'an') && next !== undefined) {
      const isPast = ['ago', 'later', 'earlier'].includes(after[index + 2] ?? '');
      const isNext = index <= 1;
      if (isNext && !isPast && (TIME_UNITS.has(unitOf(next)) || (isMoney && index === after.length - 2)))
        return unitOf(next);
    }
  }
  return undefined;
}

function perBefore(before: readonly string[], previous: Fact | undefined): string | undefined {
  const text = before.slice(-9).join(' ');
  const [, , first, second] = HOLDER.exec(text) ?? [];
  if (first !== undefined) return unitOf(second ?? first);
  if (HOLDER.test(text)) return 'each';
  const named = /(?:^| )(?:per|an|a|every) ([\p{L}-]{1,30}) (?:is|was|of|costs)$/u.exec(text)?.[1];
  if (named !== undefined && /\b(?:per|rate|price|wage|pay)\b/.test(text)) return unitOf(named);
  const adverb = before.slice(-4).find((word) => Object.hasOwn(ADVERBS, word));
  if (adverb !== undefined && /\b(?:rate|wage|pay|fee|rent|salary|dose)\b/.test(text)) return ADVERBS[adverb];
  if (previous === undefined || previous.percent || previous.per !== undefined) return undefined;
  // `15 boxes of 24 bottles`
  const container = before.at(-1) === 'of' && before.length >= 2 ? unitOf(before.at(-2) ?? '') : '';
  if (container !== '' && previous.units.includes(container)) return container;
  return before.length <= 5 && /(?:^| )(?:at|@|at just|at only|at a (?:price|cost|rate) of)$/.test(text)
    ? 'each'
    : undefined;
}
