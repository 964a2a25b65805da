import { rmSync } from 'node:fs';
import { timeCalls } from '../load';
import { startSlowPeer } from '../scale/slow-peer';
import { type BenchService, startService } from '../service';
import { costOfEach, readServiceFigures, readServiceMemory } from '../service-figures';
import { median, percentile } from '../statistics';
import { makeBenchFolder } from '../unwinding';
import { prepareKinds, type RunKind, runKinds } from './kinds';

/** The first stretch is not compared, because caches and just-in-time compilers warm up in it. */
const WARM_UP_ROWS = 1;
/** The largest ratio of a late value to its early value that counts as flat. */
const MAX_RATIO = 1.3;
/** Growth below this many bytes for a run is ignored, because a database grows by whole pages. */
const MIN_DISK_BYTES = 2_000;

export interface SoakReport {
  readonly rows: readonly SoakRow[];
  /** A sentence for each figure that is not flat. */
  readonly growth: readonly string[];
}

const RUNS = Number(process.env['SOAK_RUNS'] ?? 10_000);
const RUNS_A_ROW = Math.max(1, Math.floor(RUNS / 10));
const CALLERS = 4;

/**
 * Sends requests of all areas to the service as `npm start` runs it, and measures the service after each tenth of
 * them.
 */
export async function benchSoak(): Promise<SoakReport> {
  const dataDir = makeBenchFolder();
  const peer = await startSlowPeer(0);
  try {
    const service = await startService(dataDir);
    try {
      await prepareKinds(service);
      const kinds = runKinds(service, peer.url);
      const rows: SoakRow[] = [];
      for (let done = 0; done < RUNS; done += RUNS_A_ROW) {
        const row = await runStretch(service, kinds, dataDir, done);
        rows.push(row);
        console.error(toCells(row).join('  '));
      }
      return { rows, growth: findGrowth(rows) };
    } finally {
      await service.stop();
    }
  } finally {
    await peer.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function runStretch(
  { pid }: BenchService,
  kinds: readonly RunKind[],
  dataDir: string,
  done: number,
): Promise<SoakRow> {
  const before = readServiceFigures(pid, dataDir);
  let n = done;
  const call = (): Promise<unknown> => (kinds[(n += 1) % kinds.length] as RunKind)(n);
  const times = await timeCalls(call, CALLERS, RUNS_A_ROW);
  const cost = costOfEach(before, readServiceFigures(pid, dataDir), RUNS_A_ROW);
  return {
    runs: done + RUNS_A_ROW,
    p50: median(times),
    p95: percentile(times, 0.95),
    cpu: cost.serviceCpu + cost.serverCpu,
    ...readServiceMemory(pid, dataDir),
    history: cost.history,
    stores: cost.stores,
    values: cost.values,
  };
}

export function printSoak({ rows, growth }: SoakReport): void {
  console.log(`\n${RUNS} runs of all areas at ${CALLERS} callers\n`);
  console.log(
    '| runs | p50, ms | p95, ms | CPU a run, ms | service, MB | server, MB | history a run, kB | stores, kB | values, kB |',
  );
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const row of rows) console.log(`| ${toCells(row).join(' | ')} |`);
  console.log(growth.length === 0 ? '\nAll figures are flat.' : `\nNot flat:\n${growth.join('\n')}`);
  if (growth.length > 0) process.exitCode = 1;
}

function toCells({ runs, p50, p95, cpu, service, server, history, stores, values }: SoakRow): string[] {
  const figures = [p50, p95, cpu, service / 1e6, server / 1e6, history / 1e3, stores / 1e3, values / 1e3];
  return [String(runs), ...figures.map((figure) => figure.toFixed(1))];
}

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

/**
 * Compares the means of the first third of the stretches after the warm-up with those of the last third.
 * @returns a sentence for each figure that grew; empty if all are flat
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
