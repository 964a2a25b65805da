import type { Slot } from './slots';
import { overlap } from './spans';
import type { Candidate } from './view';
import { scoreOf } from './weights';

/** How many ways to fill one parameter are tried. */
const MAX_CANDIDATES = 8;
/** Steps of the search, after which the best so far counts. */
const MAX_STEPS = 4_000;
/** What leaving a parameter without a value is called in the table of weights. */
export const NONE: readonly string[] = ['none'];

/** Values for the parameters of a tool. */
export interface Assignment {
  readonly chosen: readonly Candidate[];
  /** The logarithm of the odds of all values against none. */
  readonly gain: number;
  /** The logarithm of the probability that each parameter has its right value, given those of the others. */
  readonly certainty: number;
  /** The parameter whose value is the least certain. */
  readonly doubtful: string;
}

interface Option {
  readonly candidate: Candidate;
  /** Logarithm of its odds against leaving the parameter out. */
  readonly odds: number;
}

/** The values of all parameters that together are the likeliest, each stretch of the text used once. */
export function assign(slots: readonly Slot[], candidates: readonly (readonly Candidate[])[]): Assignment {
  const options = slots.map((slot, index) => {
    const none = scoreOf(slot, NONE);
    return (candidates[index] ?? [])
      .map((candidate) => ({ candidate, odds: scoreOf(slot, candidate.features) - none }))
      .sort((one, other) => other.odds - one.odds || one.candidate.from - other.candidate.from);
  });
  const { chosen, gain } = new Search(options).run();
  const shares = slots.map((slot, index) => logShare(options[index] ?? [], chosen, slot));
  const certainty = shares.reduce((sum, share) => sum + share, 0);
  const doubtful = slots[shares.indexOf(Math.min(...shares))]?.name ?? '';
  return { chosen, gain, certainty, doubtful };
}

/** The logarithm of the probability of what was chosen for a parameter among all that the other choices leave free. */
function logShare(options: readonly Option[], chosen: readonly Candidate[], slot: Slot): number {
  const own = chosen.find((one) => one.slot === slot);
  const others = chosen.filter((one) => one !== own);
  const isSame = (one: Candidate): boolean => JSON.stringify(one.value) === JSON.stringify(own?.value);
  let total = 1;
  let share = own ? 0 : 1;
  for (const { candidate, odds } of options) {
    if (others.some((one) => overlap(one, candidate))) continue;
    const weight = Math.exp(odds);
    total += weight;
    if (own && (candidate === own || isSame(candidate))) share += weight;
  }
  return Math.log(share / total);
}

/** Branch and bound over the parameters. */
class Search {
  private best: readonly Candidate[] = [];
  private bestOdds = 0;
  private steps = 0;
  private readonly options: readonly (readonly Option[])[];
  private readonly bounds: readonly number[];

  constructor(options: readonly (readonly Option[])[]) {
    this.options = options
      .map((one) => one.filter(({ odds }) => odds > 0).slice(0, MAX_CANDIDATES))
      .filter((one) => one.length > 0)
      .sort((one, other) => (other[0]?.odds ?? 0) - (one[0]?.odds ?? 0));
    const bounds = [0];
    for (const one of [...this.options].reverse()) bounds.unshift((bounds[0] ?? 0) + (one[0]?.odds ?? 0));
    this.bounds = bounds;
  }

  run(): { readonly chosen: readonly Candidate[]; readonly gain: number } {
    this.visit(0, [], 0);
    return { chosen: this.best, gain: this.bestOdds };
  }

  private visit(at: number, chosen: readonly Candidate[], odds: number): void {
    if (odds > this.bestOdds) [this.best, this.bestOdds] = [chosen, odds];
    const options = this.options[at];
    if (!options || odds + (this.bounds[at] ?? 0) <= this.bestOdds || ++this.steps > MAX_STEPS) return;
    for (const { candidate, odds: more } of options) {
      if (!chosen.some((one) => overlap(one, candidate)))
        this.visit(at + 1, [...chosen, candidate], odds + more);
    }
    this.visit(at + 1, chosen, odds);
  }
}
