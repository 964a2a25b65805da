import { LIGHT, type Word } from './words';
import { antonymsOf, nounSenses } from './wordnet';
import { wordsTagged } from '../text/lexicon/words';

const POINTING = new Set(['last', 'this', 'next']);
const DAYS = new Set(['yesterday', 'today', 'tonight', 'tomorrow']);
const PERIODS = wordsTagged('periods');

/** Whether what was said is about the other one of two: the left eye, where the right one is asked for, or another room's code. */
export function isContrary(asked: readonly Word[], said: readonly Word[]): boolean {
  if (isOfOtherNumber(asked, said)) return true;
  const has = (lower: string): boolean => said.some((word) => word.lower === lower);
  return asked.some(({ lower }, at) => {
    if (DAYS.has(lower) && !has(lower)) return said.some((word) => DAYS.has(word.lower));
    const period = asked[at + 1]?.lower ?? '';
    if (POINTING.has(lower) && PERIODS.has(period)) {
      const pointers = said.filter((_, index) => said[index + 1]?.lower === period).map((one) => one.lower);
      return pointers.some((one) => POINTING.has(one)) && !pointers.includes(lower);
    }
    return lower.length > 3 && !has(lower) && antonymsOf(lower).some(has);
  });
}

/** `The code of room 9`, where that of room 7 is asked for. */
function isOfOtherNumber(asked: readonly Word[], said: readonly Word[]): boolean {
  return asked.some(({ lower, token }, at) => {
    const name = asked[at - 1]?.lower ?? '';
    if (token.kind !== 'number' || LIGHT.has(name) || nounSenses(name).length === 0) return false;
    const isNumbered = (word: Word, index: number): boolean =>
      word.token.kind === 'number' && said[index - 1]?.lower === name;
    const numbers = said.filter(isNumbered).map((word) => word.lower);
    return numbers.length > 0 && !numbers.includes(lower);
  });
}
