import type { RunCost } from '../service-figures';

/** The cost of one kind of list. */
export interface ListCost {
  readonly name: string;
  /** Both in ms. */
  readonly p50: number;
  readonly p95: number;
  /** CPU time of the Temporal server for one list, ms. */
  readonly serverCpu: number;
}

/** What a run and lists of runs cost while the database holds a number of runs. */
export interface GrowthRow {
  /** The number of runs in the database before this measurement. */
  readonly runs: number;
  /** How long callers waited for their runs, ms. */
  readonly p50: number;
  readonly p95: number;
  /** Runs in a second. */
  readonly rate: number;
  readonly cost: RunCost;
  readonly lists: readonly ListCost[];
}

export interface Ratio {
  readonly name: string;
  /** The figure of the last row divided by that of the first; 1 is flat. */
  readonly value: number;
}

/**
 * Reads the numbers of runs at which to measure.
 * @param text whole numbers above 0, separated by commas, each above the one before
 * @throws Error if the text is anything else
 */
export function parseCounts(text: string): readonly number[] {
  const counts = text.split(',').map(Number);
  const isAscending = counts.every((count, at) => Number.isInteger(count) && count > (counts[at - 1] ?? 0));
  if (!isAscending) throw new Error(`GROWTH_RUNS has to be ascending numbers as in 200,1000: ${text}`);
  return counts;
}

/** Compares the last row with the first. Empty if there are fewer than two rows. */
export function compareRows(rows: readonly GrowthRow[]): readonly Ratio[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  const ratio = (name: string, figure: (row: GrowthRow) => number): Ratio => ({
    name,
    value: figure(last) / figure(first),
  });
  return [
    ratio('a run, p50', ({ p50 }) => p50),
    ratio('a run, CPU of the service', ({ cost }) => cost.serviceCpu),
    ratio('a run, CPU of the Temporal server', ({ cost }) => cost.serverCpu),
    ratio('a run, bytes on disk', ({ cost }) => cost.history + cost.stores),
    ...first.lists.map((_, at) =>
      ratio(`${first.lists[at]?.name}, p50`, ({ lists }) => lists[at]?.p50 ?? NaN),
    ),
  ];
}
