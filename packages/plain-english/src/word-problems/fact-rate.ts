import { wordsBefore } from './around';
import type { Fact } from './fact';
import type { Item } from './items';
import { isContent, type Noun, wordAt } from './nouns';
import { type Rate, rateAfter, rateBefore } from './rate';
import { AMOUNT, EACH, isMeasure, isMoney, isTime, measureOf, unitOf, UNKNOWN } from './units';

export function rateOf(
  items: readonly Item[],
  at: number,
  {
    noun,
    next,
    isMoneyLike,
    previous,
  }: { noun: Noun | undefined; next: number; isMoneyLike: boolean; previous: Fact | undefined },
): Rate | undefined {
  const found = rateAfter(items, next, isMoneyLike);
  const isEach =
    /^(?:at|@)$/.test(wordAt(items, at - 1)) ||
    /\beach \w+$/.test(wordsBefore(items, at)) ||
    (/\beach of(?: the| my| our| these)?$/.test(previous?.before ?? '') &&
      previous?.clause === items[at]?.clause);
  const counted = isEach ? countBefore(items, at, previous) : undefined;
  // `2 rooms at 80 a night`: for each of them.
  if (
    found &&
    counted !== undefined &&
    previous?.unit.of[0] === counted &&
    !isMeasure(counted) &&
    found.per.every(isTime)
  )
    return { per: [counted, ...found.per], isSingle: false };
  if (found && !found.isSingle) return found;
  const last = wordAt(items, at - 1);
  if (last === 'at' || last === '@') {
    if (counted !== undefined) return { per: [counted], isSingle: false };
    if (/^(?:them|it|these|those)$/.test(wordAt(items, at - 2))) return { per: [EACH], isSingle: false };
  }
  // `1 burger 11.90`
  const isPriceOf =
    previous?.value === 1 && at - previous.at === 2 && items[at - 1]?.kind === 'word' && noun === undefined;
  if (isPriceOf) return { per: previous.unit.of, isSingle: false };
  const container =
    noun?.isMeasure === true &&
    isContent(wordAt(items, next)) &&
    measureOf(wordAt(items, next)) === undefined;
  const isCounted =
    /^(?:an?|the|of|with|many)$/.test(last) ||
    items[at - 1]?.kind !== 'word' ||
    items[at]?.isJoined === true ||
    wordAt(items, next).endsWith('s');
  return (
    found ??
    rateBefore(items, at) ??
    (container && isCounted ? { per: [unitOf(wordAt(items, next))], isSingle: true } : undefined)
  );
}

/** What was counted right before: `12 hours at 65`. */
export function countBefore(
  items: readonly Item[],
  at: number,
  previous: Fact | undefined,
): string | undefined {
  const [name] = previous?.unit.of ?? [];
  if (
    !previous ||
    previous.isShare ||
    name === undefined ||
    isMoney(name) ||
    name === UNKNOWN ||
    name === AMOUNT
  )
    return subjectOf(items, at);
  const between = items
    .slice(previous.at, at)
    .filter(({ kind, text }) => kind === 'mark' && /^[.;?!]$/.test(text));
  return between.length === 0 && previous.unit.per.every((other) => isTime(other) || !isMeasure(other))
    ? name
    : undefined;
}

/** `my photos are 4 MB each`. */
function subjectOf(items: readonly Item[], at: number): string | undefined {
  for (let index = at - 1; index >= Math.max(0, at - 4) && items[index]?.kind === 'word'; index--) {
    const word = wordAt(items, index);
    if (isContent(word) && word.endsWith('s')) return unitOf(word);
  }
  return undefined;
}
