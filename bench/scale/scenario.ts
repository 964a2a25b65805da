import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  coreShares,
  type CoreTime,
  pinThisProcess,
  readCoreTimes,
  readCpuMs,
  readResidentBytes,
} from './cpu';
import { type Deployment, startDeployment } from './deployment';
import type { BenchEngine, EngineKind } from './engine';
import type { Environment } from './part';
import { makeBenchFolder } from '../unwinding';
import type { Call } from '../load';
import { median, percentile } from '../statistics';

/** The request that all callers repeat. */
export interface Workload {
  readonly path: string;
  readonly body: unknown;
  readonly env: Environment;
  callers(workers: number): number;
  /** Present if slots limit a worker: how many steps it runs at a time, and how long each step waits, ms. */
  readonly slots?: { readonly each: number; readonly waitMs: number };
}

/** The core of each part; absent for any. */
export interface Placement {
  readonly engine?: number;
  readonly api?: number;
  readonly workers?: number;
  /** The core of the callers and of the peer that tools call. */
  readonly load?: number;
}

export interface ScaleRow {
  readonly workers: number;
  /** Runs in a second. */
  readonly rate: number;
  /** The ratio to the first row of its scenario. */
  readonly ratio: number;
  readonly p50: number;
  readonly p95: number;
  /** The share of all slots that waited for a peer, 0 to 1. */
  readonly slotsBusy?: number;
  /** CPU time of each part for one run, ms. */
  readonly cpu: {
    readonly engine: number;
    readonly api: number;
    readonly workers: number;
    readonly load: number;
  };
  /** The share of each core that was busy, with all programs of the machine, 0 to 1. */
  readonly cores: readonly number[];
  /** Resident memory after the load, bytes; for workers that of the largest. */
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

/** Measures one row for each number of workers. All rows use one server, and each has its own API and workers. */
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
    const usages: Usage[] = [];
    const { rate, calls, p50, p95 } = await measureWindow(() => deployment.post(path, body), {
      callers: workload.callers(workers),
      warmUpMs: WARM_UP_MS,
      windowMs: WINDOW_MS,
      onEdge: () => usages.push(readUsage(engine, deployment)),
    });
    const [before, after] = usages as [Usage, Usage];
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
        api: readResidentBytes(deployment.api.pid),
        worker: Math.max(...deployment.workers.map(({ pid }) => readResidentBytes(pid))),
      },
    };
  } finally {
    await deployment.stop();
  }
}

/** CPU time used so far, ms. */
interface Usage {
  readonly engine: number;
  readonly api: number;
  readonly workers: number;
  readonly load: number;
  readonly cores: readonly CoreTime[];
}

function readUsage(engine: BenchEngine, { api, workers }: Deployment): Usage {
  const own = process.cpuUsage();
  return {
    engine: readCpuMs(engine.pids),
    api: readCpuMs([api.pid]),
    workers: readCpuMs(workers.map(({ pid }) => pid)),
    load: (own.user + own.system) / 1_000,
    cores: readCoreTimes(),
  };
}

interface WindowFigures {
  /** Calls that ended in the window, in a second. */
  readonly rate: number;
  readonly calls: number;
  /** Both in ms. */
  readonly p50: number;
  readonly p95: number;
}

interface WindowOptions {
  readonly callers: number;
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** Called at both ends of the window. */
  readonly onEdge: () => void;
}

/** Runs callers that make one call after another, and measures them for `windowMs` after `warmUpMs`. */
async function measureWindow(call: Call, options: WindowOptions): Promise<WindowFigures> {
  const { callers, warmUpMs, windowMs, onEdge } = options;
  let going = true;
  let samples: number[] = [];
  const run = async (): Promise<void> => {
    while (going) {
      const started = performance.now();
      await call();
      samples.push(performance.now() - started);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, run));
  try {
    await Promise.race([delay(warmUpMs), running]);
    samples = [];
    onEdge();
    const began = performance.now();
    await Promise.race([delay(windowMs), running]);
    onEdge();
    const seconds = (performance.now() - began) / 1_000;
    const found = samples;
    return {
      rate: found.length / seconds,
      calls: found.length,
      p50: median(found),
      p95: percentile(found, 0.95),
    };
  } finally {
    going = false;
    await running;
  }
}
