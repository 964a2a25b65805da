import { rm, readFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { measureLatency, measureThroughput } from '../load';
import { startService } from '../service';
import { median } from '../statistics';
import { startVariants, type Variant } from './variants';
import { makeBenchFolder, unwinding } from '../unwinding';
import { endProcess } from '../end-process';

const WORKER = resolve(__dirname, '..', '..', 'bin', 'worker.js');
const SETTLED_MS = 5_000;
const MEASURED_MS = 30_000;
/** The unit of times in /proc, ms. */
const TICK_MS = 10;

const ROUNDS = 5;
const LATENCY_CALLS = 12;
const THROUGHPUT_CALLS = 64;
const CALLERS = 16;

interface Row {
  readonly group: string;
  readonly name: string;
  /** In ms. */
  readonly p50: number;
  /** Runs in a second with 16 callers. */
  readonly rate: number;
  /** Ratios to the first variant of the group, each the median of the ratios of the rounds. */
  readonly p50Ratio: number;
  readonly rateRatio: number;
}

export interface QueuesReport {
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly idle: readonly Idle[];
}

interface Samples {
  readonly p50: number[];
  readonly rate: number[];
}

/**
 * Measures what a separate queue costs a step, and what settings of a worker change. All variants are measured in
 * every round.
 */
export async function benchQueues(): Promise<QueuesReport> {
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir);
  try {
    const rows = await measureVariants(service.temporalAddress);
    const idle: Idle[] = [];
    for (const [name, settings] of [
      ['one queue', { WORKER_QUEUES: 'workflows' }],
      ['all queues', {}],
      ['all queues, 10 pollers each', { WORKER_ACTIVITY_POLLERS: '10' }],
    ] as const) {
      const common = { DATA_DIR: dataDir, TEMPORAL_ADDRESS: service.temporalAddress, TASK_QUEUE: 'idle' };
      idle.push(await measureIdle(name, { ...common, ...settings }));
    }
    return { rounds: ROUNDS, rows, idle };
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureVariants(address: string): Promise<Row[]> {
  const { groups, stop } = await startVariants(address);
  try {
    const samples = new Map<Variant, Samples>();
    const variants = groups.flatMap((group) => group.variants);
    for (const variant of variants) {
      samples.set(variant, { p50: [], rate: [] });
      await measureThroughput(variant.call, CALLERS, CALLERS);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // The order alternates, so that what a variant leaves behind affects a different one in each round.
      const order = round % 2 === 0 ? [...samples] : [...samples].reverse();
      for (const [{ call }, { p50, rate }] of order) {
        p50.push((await measureLatency(call, LATENCY_CALLS)).p50);
        rate.push(await measureThroughput(call, CALLERS, THROUGHPUT_CALLS));
      }
    }
    return groups.flatMap(({ name: group, variants: [first, ...others] }) =>
      [first, ...others].flatMap((variant) => {
        const own = variant && samples.get(variant);
        const base = first && samples.get(first);
        return own && base ? [toRow(group, variant.name, own, base)] : [];
      }),
    );
  } finally {
    await stop();
  }
}

function toRow(group: string, name: string, own: Samples, base: Samples): Row {
  const ratio = (a: readonly number[], b: readonly number[]): number =>
    median(a.map((value, round) => value / (b[round] ?? Number.NaN)));
  return {
    group,
    name,
    p50: median(own.p50),
    rate: median(own.rate),
    p50Ratio: ratio(own.p50, base.p50),
    rateRatio: ratio(own.rate, base.rate),
  };
}

export function printQueues({ rows, idle, rounds }: QueuesReport): void {
  console.log(`\nMedians over ${rounds} rounds\n`);
  console.log('| | | p50 ms | runs/s at 16 callers | p50, to the first | runs/s, to the first |');
  console.log('| --- | --- | ---: | ---: | ---: | ---: |');
  for (const { group, name, p50, rate, p50Ratio, rateRatio } of rows) {
    const figures = [p50.toFixed(1), rate.toFixed(1), p50Ratio.toFixed(2), rateRatio.toFixed(2)];
    console.log(`| ${[group, name, ...figures].join(' | ')} |`);
  }
  console.log('\n| idle worker process | CPU ms a minute | resident MB |\n| --- | ---: | ---: |');
  for (const { name, cpuMs, residentMb } of idle) {
    console.log(`| ${name} | ${cpuMs.toFixed(0)} | ${residentMb.toFixed(0)} |`);
  }
}

interface Idle {
  readonly name: string;
  /** CPU time of the process in a minute without work, ms. */
  readonly cpuMs: number;
  readonly residentMb: number;
}

/** Measures CPU time and memory of an idle worker process. */
async function measureIdle(name: string, settings: Readonly<Record<string, string>>): Promise<Idle> {
  unwinding.signal.throwIfAborted();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [WORKER], {
    env: { PATH, HOME, LOG_FORMAT: 'json', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = unwinding.add(() => endProcess(child));
  const gone = new Promise((done) => child.once('close', done));
  const isPolling = new Promise<void>((found) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"the worker is polling"')) found();
    });
  });
  try {
    await Promise.race([isPolling, gone]);
    await delay(SETTLED_MS);
    const before = await readCpuMs(child.pid);
    await delay(MEASURED_MS);
    const cpuMs = ((await readCpuMs(child.pid)) - before) * (60_000 / MEASURED_MS);
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return { name, cpuMs, residentMb: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024 };
  } finally {
    await stop();
  }
}

/** Reads the CPU time of a process, user and system, ms. */
async function readCpuMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
