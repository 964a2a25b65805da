import { combine, numberOf } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Item } from './items';

const HALF_DAY = 720;

/** The time from one clock time to another, `from 8:30 to 10:15`; undefined where there are not two. */
export function elapsed(items: readonly Item[]): Fact | undefined {
  const times = items.filter(({ kind }) => kind === 'time');
  const [from, to] = times;
  if (!from || !to || times.length !== 2) return undefined;
  // Past midnight, or past noon where the half of the day is not said.
  const later = to.value >= from.value ? 0 : from.isJoined && to.isJoined ? 2 * HALF_DAY : HALF_DAY;
  const end = numberOf(to.value + later);
  return {
    value: to.value + later - from.value,
    expression: combine('subtract', end, numberOf(from.value)),
    isShare: false,
    isSingle: false,
    unit: { of: ['minute'], per: [] },
    clause: from.clause,
    before: '',
    after: '',
    at: items.indexOf(to),
  };
}
