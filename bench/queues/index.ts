import { rm } from 'node:fs/promises';
import { measureLatency, measureThroughput } from '../load';
import { startService } from '../service';
import { median } from '../statistics';
import { type Idle, measureIdle } from './idle';
import { startVariants, type Variant } from './variants';
import { makeBenchFolder } from '../unwinding';

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
