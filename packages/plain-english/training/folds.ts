import { INTENT_TYPES } from '../src/intents/intent-types';
import { seededRandom } from './random';
import type { SentenceGroup } from './sentence';

/** The fold of each group by its id: shuffled within each type, so that every fold has its share of all. */
export function assignFolds(
  groups: readonly SentenceGroup[],
  folds: number,
  seed: number,
): Map<string, number> {
  const random = seededRandom(seed);
  const assigned = new Map<string, number>();
  for (const type of INTENT_TYPES) {
    const shuffled = groups
      .filter((group) => group.type === type)
      .map((group) => ({ group, order: random() }))
      .sort((one, two) => one.order - two.order);
    for (const [index, { group }] of shuffled.entries()) assigned.set(group.id, index % folds);
  }
  return assigned;
}
