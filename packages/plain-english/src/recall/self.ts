import { isKindOf } from './kinds';
import { isNumberWord } from '../text/number-words';
import { isCapital, isNameWord } from './persons';
import { nounSenses, sensesOf } from './wordnet';
import { BE } from './verbs';
import type { Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

const NAMED = /\b(?:(?:^|my |full |real |first |last |and )name is|am called|calls? me|go by) $/;
const PROFESSION =
  /(?:er|or|ist|ian|ant|ent|man|woman|chef|nurse|vet|cook|clerk|pilot|judge|barista|coach|architect|analyst|attorney|midwife|guide|lead|ceo|cto|cfo|dev|intern|boss)$/;
const TITLES = new Set('lead ceo cto cfo coo dev dba sysadmin barista intern freelancer'.split(' '));
const NO_PROFESSION = wordsTagged('no-profession');

/** Where a text says the user's own name, `my name is Dana`, `I'm Tom`, `call me Bea`; -1 where it is not. */
export function nameAt(words: readonly Word[]): number {
  return words.findIndex((word, at) => {
    const before = `${words
      .slice(Math.max(0, at - 5), at)
      .map(({ lower }) => lower)
      .join(' ')} `;
    if (word.token.kind !== 'word' || /\b(?:not|after|nobody)\b/.test(before)) return false;
    if (NAMED.test(before))
      return (
        !/\b(?:'s|of|his|her|their)\b/.test(before) &&
        !before.includes("'s") &&
        !/^(?:not|after)$/.test(word.lower)
      );
    const isAfterAm = /\bi am $/.test(before);
    const next = words[at + 1];
    const isAlone =
      next === undefined ||
      next.token.kind === 'symbol' ||
      next.lower === 'and' ||
      isCapital(next.token.text);
    return (
      isAfterAm &&
      isCapital(word.token.text) &&
      isAlone &&
      isNameWord(words, at) &&
      sensesOf(word.lower, 'adj').length === 0
    );
  });
}

/** Whether the words tell how old their subject is: `I'm 52 and …`, `Hana turned four`. */
export function hasAge(words: readonly Word[]): boolean {
  return words.some((word, at) => {
    if (word.token.kind !== 'number' && !isNumberWord(word.lower)) return false;
    if (Number(word.lower) > 120) return false;
    const next = words[at + 1];
    if (/^years?$/.test(next?.lower ?? ''))
      return words[at + 2]?.lower === 'old' || words[at + 2] === undefined || words[at + 2]?.lower === 'of';
    const before = words.slice(Math.max(0, at - 3), at).map(({ lower }) => lower);
    const isSaid =
      before.some((one) => /^(?:is|am|are|was|'s|turned|turns|turning|aged|age|,)$/.test(one)) &&
      !before.some((one) => /^(?:in|at|on|room|number|size|plot|row)$/.test(one) && one !== 'at');
    return (
      isSaid &&
      (next === undefined ||
        next.token.kind === 'symbol' ||
        /^(?:today|now|already|and|last|this|when|but|or|in)$/.test(next.lower))
    );
  });
}

/** Whether the words name a job after `a`, `as` or `the`. */
export function hasJob(words: readonly Word[]): boolean {
  return words.some((word, at) => {
    if (!['a', 'an', 'the', 'as', 'am'].includes(word.lower)) return false;
    const before = words.slice(Math.max(0, at - 2), at).map(({ lower }) => lower);
    if (
      !['as', 'am'].includes(word.lower) &&
      !before.some((one) => BE.has(one) || ["'s", 'as', 'became'].includes(one))
    )
      return false;
    const stop = words
      .slice(at + 1, at + 6)
      .findIndex(
        ({ lower, token }) =>
          token.kind === 'symbol' ||
          ['at', 'in', 'for', 'with', 'by', 'from', 'and', 'is', 'now', 'who', 'of', 'on', 'but'].includes(
            lower,
          ),
      );
    const head = words.slice(at + 1, stop === -1 ? at + 6 : at + 1 + stop).at(-1)?.lower ?? '';
    if (head === '' || NO_PROFESSION.has(head) || isKindOf(head, 'relative')) return false;
    if (TITLES.has(head)) return true;
    return PROFESSION.test(head)
      ? isKindOf(head, 'person') || nounSenses(head).length === 0
      : isKindOf(head, 'profession');
  });
}
