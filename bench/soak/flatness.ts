/** The figures of one stretch of the soak. */
export interface SoakRow {
  /** The number of runs from the start of the soak to the end of this stretch. */
  readonly runs: number;
  /** How long callers waited for their runs, ms. */
  readonly p50: number;
  readonly p95: number;
  /** CPU time of all processes for one run, ms. */
  readonly cpu: number;
  /** Resident memory at the end of the stretch, bytes. */
  readonly service: number;
  readonly server: number;
  /**
   * How much one run of the stretch added on disk, bytes: histories, databases of the service, values stored by
   * reference.
   */
  readonly history: number;
  readonly stores: number;
  readonly values: number;
}

/** The first stretch is not compared, because caches and just-in-time compilers warm up in it. */
const WARM_UP_ROWS = 1;
/** The largest ratio of a late value to its early value that counts as flat. */
const MAX_RATIO = 1.3;
/** Growth below this many bytes for a run is ignored, because a database grows by whole pages. */
const MIN_DISK_BYTES = 2_000;

/**
 * Compares the means of the first third of the stretches after the warm-up with those of the last third.
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
