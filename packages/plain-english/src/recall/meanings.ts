import { linksOf, nameOfSense, remembered, sensesOf, type PartOfSpeech } from './wordnet';
import { singular, verbBases } from '../text/base-forms';
import { conceptOf } from './words';
import situations from '../text/lexicon/situations.json';

/** How many senses of a word count: a rare one misleads more often than it helps. */
const MAX_SENSES: Readonly<Record<PartOfSpeech, number>> = { noun: 2, verb: 3, adj: 2 };
/** How near two words are that are in one sense, derived from one another, one a kind of the other, or share a situation. */
const SYNONYM = 0.95;
const DERIVED = 0.9;
const KIND = 0.8;
const SITUATION = 0.88;

/** Words that tell of the same situation, from another side or by another part of speech. */
const SITUATIONS = situations.map((group) => group.split(' '));
const SITUATION_OF = new Map<string, Set<number>>();
SITUATIONS.forEach((group, index) => {
  for (const word of group.map(conceptOf)) {
    const known = SITUATION_OF.get(word) ?? new Set<number>();
    SITUATION_OF.set(word, known.add(index));
  }
});

/** What a word may stand for: senses with how surely it does. */
interface Meaning {
  readonly own: ReadonlySet<string>;
  readonly near: ReadonlyMap<string, number>;
}

const cache = new Map<string, Meaning>();
const pairs = new Map<string, number>();

/** How near a word that goes with everything is to another: only where both tell of one situation. */
function nearBySituation(left: string, right: string): number {
  const [a, b] = [SITUATION_OF.get(conceptOf(left)), SITUATION_OF.get(conceptOf(right))];
  return a && b && [...a].some((one) => b.has(one)) ? SITUATION : 0;
}

/** How near two words are in meaning, 0 to 1; 1 for forms of one word. */
export function relatedness(left: string, right: string): number {
  if (left === right) return 1;
  return remembered(pairs, left < right ? `${left} ${right}` : `${right} ${left}`, () =>
    compare(left, right),
  );
}

function compare(left: string, right: string): number {
  const [a, b] = [conceptOf(left), conceptOf(right)];
  if (a === b) return 1;
  return Math.max(nearBySituation(left, right), bySense(meaningOf(left), meaningOf(right)));
}

function bySense(left: Meaning, right: Meaning): number {
  let best = 0;
  for (const sense of left.own) {
    if (right.own.has(sense)) return SYNONYM;
    best = Math.max(best, right.near.get(sense) ?? 0);
  }
  for (const sense of right.own) best = Math.max(best, left.near.get(sense) ?? 0);
  return best;
}

function meaningOf(word: string): Meaning {
  return remembered(cache, word, () => {
    const own = new Set<string>();
    const near = new Map<string, number>();
    for (const [part, bases] of basesOf(word)) {
      const base = bases.find((one) => sensesOf(one, part).length > 0);
      if (base === undefined) continue;
      for (const sense of sensesOf(base, part).slice(0, MAX_SENSES[part])) {
        own.add(nameOfSense(sense, part));
        const { parents, derived } = linksOf(sense, part);
        for (const one of parents) near.set(one, Math.max(near.get(one) ?? 0, KIND));
        for (const one of derived) near.set(one, DERIVED);
      }
    }
    return { own, near };
  });
}

function basesOf(word: string): readonly (readonly [PartOfSpeech, readonly string[]])[] {
  return [
    ['noun', [word, singular(word)]],
    ['verb', verbBases(word)],
    ['adj', [word]],
  ];
}
