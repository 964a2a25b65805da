import { type Call, measureLatency, measureThroughput } from './load';
import { readOwnCpuMs } from './scale/cpu';
import { median } from './statistics';

const LATENCY_CALLS = 50;
const THROUGHPUT_CALLS = 160;
export const CALLERS = 16;

/** Something that is measured in turns with others, and its figures, one of each round. */
export interface Subject {
  readonly name: string;
  readonly call: Call;
  /** The process that works; absent where only one caller is measured. */
  readonly pid: number | undefined;
  readonly p50: number[];
  readonly p95: number[];
  readonly rate: number[];
  readonly cpu: number[];
}

export function subject(name: string, call: Call, pid?: number): Subject {
  return { name, call, pid, p50: [], p95: [], rate: [], cpu: [] };
}

/** Measures one caller and, where the process is known, 16 callers. */
export async function measureRound(one: Subject): Promise<void> {
  const { p50, p95 } = await measureLatency(one.call, LATENCY_CALLS);
  one.p50.push(p50);
  one.p95.push(p95);
  if (one.pid === undefined) return;
  const before = readOwnCpuMs(one.pid);
  one.rate.push(await measureThroughput(one.call, CALLERS, THROUGHPUT_CALLS));
  one.cpu.push((readOwnCpuMs(one.pid) - before) / THROUGHPUT_CALLS);
}

/** The median of the ratios of the rounds, so that changes in the speed of the machine between rounds cancel out. */
export function ratioOf(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}
