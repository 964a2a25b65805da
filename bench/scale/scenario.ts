import { rmSync } from 'node:fs';
import type { CoreTime } from './cpu';
import { coreShares, coreTimes, cpuOf, pinThisProcess, residentBytes } from './cpu';
import type { Deployment } from './deployment';
import { startDeployment } from './deployment';
import type { BenchEngine, EngineKind } from './engine';
import type { Environment } from './part';
import { measureWindow } from './window';
import { makeBenchFolder } from '../unwinding';

/** What callers ask for, again and again. */
export interface Workload {
  readonly path: string;
  readonly body: unknown;
  readonly env: Environment;
  callers(workers: number): number;
  /** Where a worker is bound by how many steps it takes at once: how many, and how long each waits, milliseconds. */
  readonly slots?: { readonly each: number; readonly waitMs: number };
}

/** The core of each part; absent: any. */
export interface Placement {
  readonly engine?: number;
  readonly api?: number;
  readonly workers?: number;
  /** Callers, and the peer that tools call. */
  readonly load?: number;
}

export interface ScaleRow {
  readonly workers: number;
  /** Runs a second. */
  readonly rate: number;
  /** To the first row of its scenario. */
  readonly ratio: number;
  readonly p50: number;
  readonly p95: number;
  /** Share of all slots that waited for a peer, 0 to 1. */
  readonly slotsBusy?: number;
  /** Milliseconds of CPU a run. */
  readonly cpu: {
    readonly engine: number;
    readonly api: number;
    readonly workers: number;
    readonly load: number;
  };
  /** Share of each core that was busy, with whatever else ran on the machine, 0 to 1. */
  readonly cores: readonly number[];
  /** Resident after the load, bytes; the largest of the workers. */
  readonly memory: { readonly api: number; readonly worker: number };
}

export interface Scenario {
  readonly name: string;
  readonly engine: EngineKind;
  readonly workload: Workload;
  readonly workers: readonly number[];
  readonly placement?: Placement;
}

const WARM_UP_MS = 3_000;
const WINDOW_MS = 8_000;
const ALL_CORES = '0-1023';

/** One row for each number of workers, on one server, each with an API and workers of its own. */
export async function runScenario(scenario: Scenario): Promise<ScaleRow[]> {
  const { engine: kind, placement = {} } = scenario;
  const dir = makeBenchFolder();
  if (placement.load !== undefined) pinThisProcess(String(placement.load));
  try {
    const engine = await kind.start(dir, placement.engine);
    try {
      const rows: ScaleRow[] = [];
      for (const workers of scenario.workers) {
        rows.push(await measureRow(scenario, engine, dir, workers, rows[0]));
      }
      return rows;
    } finally {
      await engine.stop();
    }
  } finally {
    if (placement.load !== undefined) pinThisProcess(ALL_CORES);
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measureRow(
  { workload, placement = {} }: Scenario,
  engine: BenchEngine,
  dir: string,
  workers: number,
  first: ScaleRow | undefined,
): Promise<ScaleRow> {
  const { env, path, body, slots } = workload;
  const deployment = await startDeployment({
    engine,
    dir,
    workers,
    env,
    apiCore: placement.api,
    workerCore: placement.workers,
  });
  try {
    const looks: Look[] = [];
    const { rate, calls, p50, p95 } = await measureWindow(() => deployment.post(path, body), {
      callers: workload.callers(workers),
      warmUpMs: WARM_UP_MS,
      windowMs: WINDOW_MS,
      look: () => looks.push(lookAt(engine, deployment)),
    });
    const [before, after] = looks as [Look, Look];
    return {
      workers,
      rate,
      ratio: rate / (first?.rate ?? rate),
      p50,
      p95,
      ...(slots && { slotsBusy: (rate * slots.waitMs) / 1_000 / (slots.each * workers) }),
      cpu: {
        engine: (after.engine - before.engine) / calls,
        api: (after.api - before.api) / calls,
        workers: (after.workers - before.workers) / calls,
        load: (after.load - before.load) / calls,
      },
      cores: coreShares(before.cores, after.cores),
      memory: {
        api: residentBytes(deployment.api.pid),
        worker: Math.max(...deployment.workers.map(({ pid }) => residentBytes(pid))),
      },
    };
  } finally {
    await deployment.stop();
  }
}

/** CPU time so far, milliseconds. */
interface Look {
  readonly engine: number;
  readonly api: number;
  readonly workers: number;
  readonly load: number;
  readonly cores: readonly CoreTime[];
}

function lookAt(engine: BenchEngine, { api, workers }: Deployment): Look {
  const own = process.cpuUsage();
  return {
    engine: cpuOf(engine.pids),
    api: cpuOf([api.pid]),
    workers: cpuOf(workers.map(({ pid }) => pid)),
    load: (own.user + own.system) / 1_000,
    cores: coreTimes(),
  };
}
