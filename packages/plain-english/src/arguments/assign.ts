import { spend } from '../allowance';
import type { Slot } from './slots';
import { overlap } from './spans';
import type { Candidate } from './view';
import { scoreOf } from './weights';

/** How many ways to fill one parameter are tried. */
const MAX_CANDIDATES = 10;
/** A value with lower odds against none, as a logarithm, is not tried. */
const MIN_ODDS = -5;
/** Steps of the search, after which the best so far counts. */
const MAX_STEPS = 4_000;
/** Work of one step. */
const STEP_COST = 3;
/** Values with odds that are lower than the best by more than this, as a logarithm, do not count as others. */
const MAX_BEHIND = 8;
/** What leaving a parameter without a value is called in the table of weights. */
export const NONE: readonly string[] = ['none'];

/** Values for the parameters of a tool. */
export interface Assignment {
  readonly chosen: readonly Candidate[];
  /** The logarithm of the odds of all values against none. */
  readonly gain: number;
  /** The logarithm of the probability of these values among all that the parameters may have together. */
  readonly certainty: number;
  /** The logarithm of the odds of these values against the next best, up to `MAX_BEHIND`. */
  readonly margin: number;
  /** The first parameter to which the next best gives another value. */
  readonly doubtful: string;
}

interface Option {
  readonly candidate: Candidate;
  /** Logarithm of its odds against leaving the parameter out. */
  readonly odds: number;
  /** The parameter and the value, which several stretches of the text may give. */
  readonly key: string;
}

interface Way {
  readonly options: readonly Option[];
  /** Logarithm of the odds of all its values against none. */
  readonly odds: number;
}

const NOTHING: Way = { options: [], odds: 0 };

/** The values of all parameters that together are the likeliest, each stretch of the text used once. */
export function assign(slots: readonly Slot[], candidates: readonly (readonly Candidate[])[]): Assignment {
  const ways = waysOf(slots.map((slot, index) => optionsOf(slot, candidates[index] ?? [])));
  const [best = NOTHING] = ways;
  const keys = keysOf(best);
  const isBest = (way: Way): boolean => keysOf(way).join() === keys.join();
  const next = ways.find((way) => !isBest(way));
  const weigh = (some: readonly Way[]): number =>
    some.reduce((sum, way) => sum + Math.exp(way.odds - best.odds), 0);
  const own = weigh(ways.filter(isBest));
  const others = weigh(ways.filter((way) => !isBest(way)));
  const changed = next ? keysOf(next) : [];
  const isChanged = ({ name }: Slot): boolean =>
    keys.find((key) => key.startsWith(`${name} `)) !== changed.find((key) => key.startsWith(`${name} `));
  return {
    chosen: best.options.map(({ candidate }) => candidate),
    gain: best.odds,
    certainty: -Math.log1p(others / Math.max(1, own)),
    margin: next ? best.odds - next.odds : MAX_BEHIND,
    doubtful: slots.find(isChanged)?.name ?? '',
  };
}

function optionsOf(slot: Slot, candidates: readonly Candidate[]): readonly Option[] {
  const none = scoreOf(slot, NONE);
  return candidates
    .map((candidate) => ({ candidate, odds: scoreOf(slot, candidate.features) - none }))
    .filter(({ odds }) => odds > MIN_ODDS)
    .sort((one, other) => other.odds - one.odds || one.candidate.from - other.candidate.from)
    .slice(0, MAX_CANDIDATES)
    .map((one) => ({ ...one, key: `${slot.name} ${JSON.stringify(one.candidate.value)}` }));
}

function keysOf({ options }: Way): readonly string[] {
  return options.map(({ key }) => key);
}

/** Branch and bound: the ways to fill the parameters that are not much less likely than the best, the likeliest first. */
function waysOf(offered: readonly (readonly Option[])[]): readonly Way[] {
  const all = offered
    .filter((one) => one.length > 0)
    .sort((one, other) => (other[0]?.odds ?? 0) - (one[0]?.odds ?? 0));
  const bounds = [0];
  for (const [first] of [...all].reverse()) bounds.unshift((bounds[0] ?? 0) + Math.max(0, first?.odds ?? 0));
  const ways: Way[] = [];
  let [steps, max] = [0, 0];
  const visit = (at: number, { options, odds }: Way): void => {
    if (odds + (bounds[at] ?? 0) < max - MAX_BEHIND || ++steps > MAX_STEPS) return;
    spend(STEP_COST);
    if (at === all.length) {
      ways.push({ options, odds });
      max = Math.max(max, odds);
      return;
    }
    for (const option of all[at] ?? [])
      if (!options.some(({ candidate }) => overlap(candidate, option.candidate)))
        visit(at + 1, { options: [...options, option], odds: odds + option.odds });
    visit(at + 1, { options, odds });
  };
  visit(0, NOTHING);
  return ways.filter(({ odds }) => odds >= max - MAX_BEHIND).sort((one, other) => other.odds - one.odds);
}
