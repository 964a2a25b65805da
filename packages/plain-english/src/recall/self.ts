import { isKindOf } from './kinds';
import { isNumberWord } from '../text/number-words';
import { isCapital, isNameWord } from './persons';
import { nounSenses, sensesOf } from './wordnet';
import { BE } from './verbs';
import { lowerAt, plainText, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

const NAMED = /\b(?:(?:^|my |full |real |first |last |and )name is|am called|calls? me|go by) $/;
const PROFESSION =
  /(?:er|or|ist|ian|ant|ent|man|woman|chef|nurse|vet|cook|clerk|pilot|judge|barista|coach|architect|analyst|attorney|midwife|guide|lead|ceo|cto|cfo|dev|intern|boss)$/;
const TITLES = new Set('lead ceo cto cfo coo dev dba sysadmin barista intern freelancer'.split(' '));
const NO_PROFESSION = wordsTagged('no-profession');

/** Where a text says the user's own name, `my name is Dana`, `I'm Tom`, `call me Bea`; -1 where it is not. */
export function nameAt(words: readonly Word[]): number {
  return words.findIndex((word, at) => {
    const before = `${plainText(words.slice(Math.max(0, at - 5), at))} `;
    if (word.token.kind !== 'word' || /\b(?:not|after|nobody)\b/.test(before)) return false;
    if (NAMED.test(before))
      return !/'s|\b(?:of|his|her|their)\b/.test(before) && !/^(?:not|after)$/.test(word.lower);
    const next = words[at + 1];
    const isAlone =
      next === undefined ||
      next.token.kind === 'symbol' ||
      next.lower === 'and' ||
      isCapital(next.token.text);
    return (
      /\bi am $/.test(before) && isAlone && isNameWord(words, at) && sensesOf(word.lower, 'adj').length === 0
    );
  });
}

const AGE_BEFORE = /\b(?:is|am|are|was|turned|turns|turning|aged|age)\b|'s|,/;
const NO_AGE_BEFORE = /\b(?:in|on|room|number|size|plot|row)\b/;

/** Whether the words tell how old their subject is: `I'm 52 and …`, `Hana turned four`. */
export function hasAge(words: readonly Word[]): boolean {
  return words.some(({ lower, token }, at) => {
    if ((token.kind !== 'number' && !isNumberWord(lower)) || Number(lower) > 120) return false;
    const [next, after] = [words[at + 1], words[at + 2]];
    if (/^years?$/.test(next?.lower ?? '')) return after === undefined || /^(?:old|of)$/.test(after.lower);
    const before = plainText(words.slice(Math.max(0, at - 3), at));
    const isEnd =
      next === undefined ||
      next.token.kind === 'symbol' ||
      /^(?:today|now|already|and|last|this|when|but|or|in)$/.test(next.lower);
    return isEnd && AGE_BEFORE.test(before) && !NO_AGE_BEFORE.test(before);
  });
}

const AFTER_JOB = /^(?:at|in|for|with|by|from|and|is|now|who|of|on|but)$/;

/** Whether the words name a job after `a`, `as` or `the`. */
export function hasJob(words: readonly Word[]): boolean {
  return words.some(({ lower }, at) => {
    const before = words.slice(Math.max(0, at - 2), at).map((word) => word.lower);
    const isSaid =
      /^(?:as|am)$/.test(lower) || before.some((one) => BE.has(one) || /^(?:'s|as|became)$/.test(one));
    if (!isSaid || !/^(?:an?|the|as|am)$/.test(lower)) return false;
    const rest = words.slice(at + 1, at + 6);
    const stop = rest.findIndex((word) => word.token.kind === 'symbol' || AFTER_JOB.test(word.lower));
    const head = lowerAt(rest, (stop === -1 ? rest.length : stop) - 1);
    if (head === '' || NO_PROFESSION.has(head) || isKindOf(head, 'relative')) return false;
    if (TITLES.has(head)) return true;
    return PROFESSION.test(head)
      ? isKindOf(head, 'person') || nounSenses(head).length === 0
      : isKindOf(head, 'profession');
  });
}
