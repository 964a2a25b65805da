/** What one stretch of the soak came to. */
export interface SoakRow {
  /** Runs from the start to the end of this stretch. */
  readonly runs: number;
  /** As their callers waited, milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** CPU time of all processes a run, milliseconds. */
  readonly cpu: number;
  /** Resident memory at the end of the stretch, bytes. */
  readonly service: number;
  readonly server: number;
  /** What a run of the stretch added on the disk, bytes: histories, the service's databases, values stored by reference. */
  readonly history: number;
  readonly stores: number;
  readonly values: number;
}

/** The first stretch warms caches and just-in-time compilers up, so it is not compared. */
const WARM_UP_ROWS = 1;
/** How many times its early value a late one may be. */
const MAX_RATIO = 1.3;
/** A database takes pages in steps: growth below this a run is no growth worth a word, bytes. */
const MIN_DISK_BYTES = 2_000;

/**
 * Compares the first third of the stretches after the warm-up with the last one by means.
 * @returns a sentence for each figure that grew; empty where all are flat
 */
export function findGrowth(rows: readonly SoakRow[]): string[] {
  const compared = rows.slice(WARM_UP_ROWS);
  const third = Math.max(1, Math.floor(compared.length / 3));
  const [early, late] = [compared.slice(0, third), compared.slice(-third)];
  const growth = (name: string, figure: (row: SoakRow) => number, min = 0): string[] => {
    const [before, after] = [meanOf(early.map(figure)), meanOf(late.map(figure))];
    if (after <= Math.max(before, min) * MAX_RATIO) return [];
    return [`${name} grew from ${before.toFixed(1)} to ${after.toFixed(1)} (bound: ${MAX_RATIO} times)`];
  };
  return [
    ...growth('CPU a run, ms', ({ cpu }) => cpu),
    ...growth('memory of the service, bytes', ({ service }) => service),
    ...growth('memory of the Temporal server, bytes', ({ server }) => server),
    ...growth('history a run, bytes', ({ history }) => history, MIN_DISK_BYTES),
    ...growth('stores a run, bytes', ({ stores }) => stores, MIN_DISK_BYTES),
    ...growth('values a run, bytes', ({ values }) => values, MIN_DISK_BYTES),
  ];
}

function meanOf(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}
