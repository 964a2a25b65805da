import type { Fact } from './fact';
import type { Item } from './items';
import { isContent, type Noun, wordAt, wordsBefore } from './nouns';
import { each, type Rate, rateAfter, rateBefore } from './rate';
import { EACH, isMeasure, isMoney, isOpen, isTime, measureOf, unitOf } from './units';

/** What an amount is said to be for one of. */
export function rateOf(
  items: readonly Item[],
  at: number,
  noun: Noun | undefined,
  isMoneyLike: boolean,
  previous: Fact | undefined,
): Rate | undefined {
  const next = noun?.next ?? at + 1;
  const [last, following] = [wordAt(items, at - 1), wordAt(items, next)];
  const found = rateAfter(items, next, isMoneyLike);
  const isAt = /^(?:at|@)$/.test(last);
  const isOfEach =
    previous?.clause === items[at]?.clause &&
    /\beach of(?: the| my| our| these)?$/.test(previous?.before ?? '');
  const isEach = isAt || isOfEach || /\beach \w+$/.test(wordsBefore(items, at));
  const counted = isEach ? countBefore(items, at, previous) : undefined;
  // `2 rooms at 80 a night`: for each of them.
  const isThing = counted !== undefined && previous?.unit.of[0] === counted && !isMeasure(counted);
  if (found && isThing && found.per.every(isTime)) return each(counted, ...found.per);
  if (found && !found.isSingle) return found;
  if (isAt && counted !== undefined) return each(counted);
  if (isAt && /^(?:them|it|these|those)$/.test(wordAt(items, at - 2))) return each(EACH);
  const isContainer =
    noun?.isMeasure === true &&
    isContent(following) &&
    measureOf(following) === undefined &&
    (/^(?:|an?|the|of|with|many)$/.test(last) || items[at]?.isJoined === true || following.endsWith('s'));
  return (
    found ?? rateBefore(items, at) ?? (isContainer ? { per: [unitOf(following)], isSingle: true } : undefined)
  );
}

/** What was counted right before: `12 hours at 65`. */
export function countBefore(
  items: readonly Item[],
  at: number,
  previous: Fact | undefined,
): string | undefined {
  const [name] = previous?.unit.of ?? [];
  if (!previous || previous.isShare || name === undefined || isMoney(name) || isOpen(name))
    return subjectOf(items, at);
  const isOneSentence = !items.slice(previous.at, at).some(({ text }) => /^[.;?!]$/.test(text));
  return isOneSentence && previous.unit.per.every((other) => isTime(other) || !isMeasure(other))
    ? name
    : undefined;
}

/** `my photos are 4 MB each`. */
function subjectOf(items: readonly Item[], at: number): string | undefined {
  const mark = items.slice(0, at).findLastIndex(({ kind }) => kind !== 'word');
  const words = items.slice(Math.max(mark + 1, at - 4, 0), at).map(({ text }) => text);
  const thing = words.findLast((word) => isContent(word) && word.endsWith('s'));
  return thing === undefined ? undefined : unitOf(thing);
}
