import type { Asked } from './asked';
import type { Clause } from './clause';
import { relatedness } from './meanings';

const NEGATIONS = new Set('not never no hardly neither nor without none nobody nothing'.split(' '));
const RESETS = new Set(['but', 'only', 'although', 'though']);

function placeOf(word: string, { words }: Clause): number {
  const near = words.map(({ lower }) => relatedness(lower, word));
  const best = Math.max(...near);
  return best < 0.6 ? -1 : near.lastIndexOf(best);
}

/** Whether a clause affirms what the question asks. */
export function affirms({ terms, taste, negated }: Asked, clause: Clause): boolean {
  if (taste !== undefined && clause.taste !== undefined) return (clause.taste === taste) !== negated;
  if (clause.ended || clause.closes) return negated;
  const { words } = clause;
  const places = terms.map(({ word }) => placeOf(word, clause));
  const focus = Math.max(...places);
  const before = words.slice(0, focus);
  const last = before.findLast(({ lower }) => NEGATIONS.has(lower) || RESETS.has(lower));
  const denied = focus < 0 ? clause.negated : last !== undefined && NEGATIONS.has(last.lower);
  return denied === negated;
}
