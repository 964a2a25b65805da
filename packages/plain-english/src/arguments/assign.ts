import type { Slot } from './slots';
import { overlap } from './spans';
import type { Candidate } from './view';

/** How many ways to fill one parameter are tried. */
const MAX_CANDIDATES = 6;
/** What a parameter that has to be filled adds to each of its values. */
const REQUIRED = 0.8;
/** Below this a value is no more than a guess. */
const MIN_REQUIRED = 0.6;
const MIN_OPTIONAL = 1.3;
/** Steps of the search, after which the best so far counts. */
const MAX_STEPS = 4_000;

/** The values of all parameters that together have the most for them, each stretch of the text used once. */
export function assign(
  slots: readonly Slot[],
  candidates: readonly (readonly Candidate[])[],
): readonly Candidate[] {
  const worth = (one: Candidate): number => one.score + (one.slot.parameter.required ? REQUIRED : 0);
  const options = slots
    .map((slot, index) =>
      (candidates[index] ?? [])
        .filter(({ score }) => score >= (slot.parameter.required ? MIN_REQUIRED : MIN_OPTIONAL))
        .map((candidate) => ({ candidate, worth: worth(candidate) }))
        .sort((one, other) => other.worth - one.worth || one.candidate.from - other.candidate.from)
        .slice(0, MAX_CANDIDATES),
    )
    .filter((one) => one.length > 0)
    .sort((one, other) => (other[0]?.worth ?? 0) - (one[0]?.worth ?? 0));
  return new Search(options).run();
}

interface Option {
  readonly candidate: Candidate;
  readonly worth: number;
}

/** Branch and bound over the parameters. */
class Search {
  private best: readonly Candidate[] = [];
  private bestWorth = 0;
  private steps = 0;
  private readonly bounds: readonly number[];

  constructor(private readonly options: readonly (readonly Option[])[]) {
    const bounds = [0];
    for (const one of [...options].reverse()) bounds.unshift((bounds[0] ?? 0) + (one[0]?.worth ?? 0));
    this.bounds = bounds;
  }

  run(): readonly Candidate[] {
    this.visit(0, [], 0);
    return this.best;
  }

  private visit(at: number, chosen: readonly Candidate[], worth: number): void {
    if (worth > this.bestWorth) [this.best, this.bestWorth] = [chosen, worth];
    const options = this.options[at];
    if (!options || worth + (this.bounds[at] ?? 0) <= this.bestWorth || ++this.steps > MAX_STEPS) return;
    for (const { candidate, worth: more } of options) {
      if (!chosen.some((one) => overlap(one, candidate)))
        this.visit(at + 1, [...chosen, candidate], worth + more);
    }
    this.visit(at + 1, chosen, worth);
  }
}
