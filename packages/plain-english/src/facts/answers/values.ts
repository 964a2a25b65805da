import { common } from './features';
import type { Weighed } from './link-features';
import type { Mention } from './story';

/** All mentions of one value. */
export interface Value {
  readonly mentions: readonly Mention[];
  /** The mention that is likeliest a value, and how likely. */
  readonly best: Mention;
  readonly weight: number;
  readonly last: Mention;
  /** Whether the plain search of memories answers with it. */
  readonly recalled: boolean;
}

const MAX_VALUES = 30;
const MIN_WEIGHT = 0.02;

/** The values that are mentioned, the likeliest first. Names are one value where one has all words of the other. */
export function valuesOf(weighed: readonly Weighed[], recalled: ReadonlySet<Mention>): Value[] {
  const groups: Weighed[][] = [];
  const byMark = new Map<string, Weighed[][]>();
  for (const one of weighed) {
    const { marks } = one.mention;
    const known = [...marks].flatMap((mark) => byMark.get(mark) ?? []);
    const group = known.find(([first]) => {
      const shared = first ? common(marks, first.mention.marks) : 0;
      return shared > 0 && (shared === marks.size || shared === first?.mention.marks.size);
    });
    if (group) group.push(one);
    else {
      const added = [one];
      groups.push(added);
      for (const mark of marks) byMark.set(mark, [...(byMark.get(mark) ?? []), added]);
    }
  }
  return groups
    .map((group) => toValue(group, recalled))
    .filter(({ weight }) => weight > MIN_WEIGHT)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_VALUES);
}

function toValue(group: readonly Weighed[], recalled: ReadonlySet<Mention>): Value {
  const best = group.reduce((one, other) => (other.weight > one.weight ? other : one));
  const mentions = group.map(({ mention }) => mention);
  return {
    mentions,
    best: best.mention,
    weight: best.weight,
    last: mentions.at(-1) ?? best.mention,
    recalled: mentions.some((mention) => recalled.has(mention)),
  };
}
