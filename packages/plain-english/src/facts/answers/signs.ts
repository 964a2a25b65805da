import type { Clause } from '../segments';
import {
  ACQUIRED,
  BACK,
  CHANGED,
  CORRECTED,
  ENDED,
  NEGATED,
  NOW,
  REPORTS,
  TAKEN,
  TAKEN_BACK,
  UNREAL,
} from '../words';

const PATTERNS = {
  now: NOW,
  changed: CHANGED,
  gained: ACQUIRED,
  ended: ENDED,
  back: BACK,
  corrected: CORRECTED,
  takenBack: TAKEN_BACK,
  unreal: UNREAL,
  negated: NEGATED,
  reported: REPORTS,
  taken: TAKEN,
} as const;

export type Sign = keyof typeof PATTERNS;
export const SIGNS = Object.keys(PATTERNS) as Sign[];
/** Those that say that something is not as it was before. */
export const CHANGE_SIGNS: readonly Sign[] = ['now', 'changed', 'gained', 'back', 'corrected'];

/** Places of the words of a sign, in word numbers; `to` is exclusive. */
interface Place {
  readonly from: number;
  readonly to: number;
}
export type Signs = ReadonlyMap<Sign, readonly Place[]>;

const SEARCHES = SIGNS.map((name) => [name, new RegExp(PATTERNS[name].source, 'gi')] as const);

/** Finds the signs of a clause. */
export function signsOf({ text, lowers }: Pick<Clause, 'text' | 'lowers'>): Signs {
  const wordAt: number[] = [];
  lowers.forEach((lower, at) => {
    for (let length = 0; length <= lower.length; length++) wordAt.push(at);
  });
  const found = new Map<Sign, Place[]>();
  for (const [name, search] of SEARCHES) {
    search.lastIndex = 0;
    const places: Place[] = [];
    for (let match = search.exec(text); match; match = search.exec(text)) {
      const end = match.index + match[0].length;
      places.push({ from: wordAt[match.index] ?? 0, to: (wordAt[end - 3] ?? 0) + 1 });
      // The space after a sign may begin the next one.
      search.lastIndex = end - 1;
    }
    if (places.length > 0) found.set(name, places);
  }
  return found;
}
