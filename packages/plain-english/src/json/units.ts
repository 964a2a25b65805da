import { stem } from '../text/stem';
import { isMoney, unitOf } from '../text/units';
import { namedFields, type Asked } from './asked';
import { isUnit } from './key-words';
import { shown, Unclear } from './unclear';
import { wordsTagged } from '../text/lexicon/words';

const UNITS = new Set([...wordsTagged('units-units')].map(stem));

/**
 * A value is not read as if it were in the unit that is asked for, where its name says another.
 * @throws Unclear
 */
export function refuseUnit(asked: Asked): void {
  const { words } = asked;
  for (const [at, { text }] of words.entries()) {
    const unit = unitOf(text);
    const isAsked = UNITS.has(unit) && /^(?:in|to|into|many)$/.test(words[at - 1]?.text ?? '');
    if (!isAsked) continue;
    for (const { fields } of namedFields(asked)) {
      const own = fields.flatMap(({ words: key }) =>
        key.filter((word) => isUnit(word) || UNITS.has(unitOf(word))),
      );
      const isSaid = own.some(
        (word) => unitOf(word) === unit || unit.startsWith(word) || word.startsWith(unit),
      );
      // An amount of money is in one currency, which another field says.
      if (!isSaid && (own.length > 0 || isMoney(unit)))
        throw new Unclear(`The document does not say it in ${shown(text)}.`);
    }
  }
}
