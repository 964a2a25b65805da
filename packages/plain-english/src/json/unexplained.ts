import { meaningOf } from '../arithmetic/lexicon';
import { isRequestVerb } from '../http/methods';
import { stem } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Asked } from './asked';
import { numberIn } from './fields';
import type { Mention } from './mentions';
import type { Word } from './question';
import { shown, Unclear } from './unclear';
import { wordsTagged } from '../text/lexicon/words';

const LINKING = wordsTagged('unexplained-linking');
const GENERAL = new Set([...wordsTagged('general')].map(stem));
/** What may follow the name of a value and say no more than it does: `email address`. */
const COMPOUNDS = new Set('number code address date time'.split(' ').map(stem));

/**
 * `the phone number of the store`, `the customer's email`, `Tom's email`: what is asked for, or whose it is, has to be there.
 * @throws Unclear
 */
export function refuseUnexplained(mention: Mention, asked: Asked): void {
  const { words } = asked;
  const { from, to } = mention;
  const refuse = (at: number): never => {
    throw new Unclear(`The document has no ${shown(words[at]?.text ?? '')}.`);
  };
  let before = from - 1;
  while (
    before >= 0 &&
    (LINKING.has(words[before]?.text ?? '') || isExplained(before, asked)) &&
    !words[before + 1]?.starts
  )
    before--;
  const isOf = words.slice(before + 1, from).some(({ text }) => text === 'of' || text === 'for');
  if (
    isOf &&
    isNoun(words[before]) &&
    !words[before + 1]?.starts &&
    !isKindOf(words[before]?.text ?? '', mention)
  )
    refuse(before);
  const next = words[to];
  if (isNoun(next) && !next?.starts && !isExplained(to, asked) && isEnd(words[to + 1])) refuse(to);
  refuseQualifier(mention, asked);
  // A name that is nowhere in the document.
  for (const [at, { capital, names }] of words.entries()) {
    if (!capital || !names || isExplained(at, asked) || words[at]?.starts) continue;
    const isOwner = words[at + 1]?.text === "'s" && from === at + 2;
    const isOwned = /^(?:of|for)$/.test(words[at - 1]?.text ?? '') && to === at - 1;
    if (isOwner || isOwned) refuse(at);
  }
}

/**
 * `the remaining budget` is not the budget, and `closed issues` are not all.
 * @throws Unclear
 */
export function refuseQualifier({ from, complete }: Mention, asked: Asked): void {
  const { words } = asked;
  const word = words[from - 1];
  if (!word?.names || words[from]?.starts || isExplained(from - 1, asked) || STOP_WORDS.has(word.text))
    return;
  const before = words[from - 2]?.text ?? '';
  const isParticiple = /(?:ing|ed)$/.test(word.text) && QUALIFIED.has(before);
  if (isParticiple || CONTRASTING.test(word.text) || (!complete && isNoun(word)))
    throw new Unclear(`What ${shown(word.text)} is here, the document does not say.`);
}

const QUALIFIED = new Set('the a an many of all which what'.split(' '));
const CONTRASTING =
  /^(?:net|gross|old|previous|next|former|future|free|open|unpaid|spare|second|extra|other)$/;

/** True for a word that names something of the document, or hardly anything at all. */
export function isExplained(at: number, { words, mentions, selectors }: Asked): boolean {
  const isIn = (index: number): boolean =>
    [...mentions, ...selectors].some(({ from, to }) => index >= from && index < to);
  const word = stem(words[at]?.text ?? '');
  return isIn(at) || GENERAL.has(word) || (COMPOUNDS.has(word) && isIn(at - 1));
}

export function isNoun(word: Word | undefined): boolean {
  if (word?.names !== true || STOP_WORDS.has(word.text) || /(?:ing|ed|ly)$/.test(word.text)) return false;
  return !isRequestVerb(word.text) && !ASKING.has(word.text) && meaningOf(word.text) === undefined;
}

function isEnd(word: Word | undefined): boolean {
  return word === undefined || word.starts || /^(?:of|for|in|from|at)$/.test(word.text);
}

const ASKING = wordsTagged('unexplained-asking');

/** What a value is by its kind: the `price` of a number, the `name` of a text. */
function isKindOf(word: string, { fields }: Mention): boolean {
  const kind = fields.every(({ places }) => places.every(({ value }) => numberIn(value) !== undefined))
    ? /^(?:price|cost|rate|fee|level|size|total|count)$/
    : /^(?:name|title|label)$/;
  return kind.test(word);
}
