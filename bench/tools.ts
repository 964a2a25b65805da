import { rm } from 'node:fs/promises';
import { type Baseline, startBaseline } from './bare';
import { measureThroughput } from './load';
import { readChildren } from './scale/cpu';
import { ONE_CALL, ONE_SENTENCE, startService, THREE_STEPS } from './service';
import { median, percentile } from './statistics';
import { CALLERS, measureRound, ratiosOf, type Subject, subject } from './subjects';
import { makeBenchFolder } from './unwinding';

const ROUNDS = 21;
/** Compiled code is as fast as it gets after about this number of runs. */
const WARM_UP_CALLS = 1_500;

export interface Row {
  readonly name: string;
  /** Medians over the rounds, ms. */
  readonly p50: number;
  readonly p95: number;
  /** With 16 callers; absent if it is not measured. */
  readonly busy?: {
    /** Runs in a second. */
    readonly throughput: number;
    /** CPU time of the service's process for one run, without that of the Temporal server, ms. */
    readonly cpu: number;
  };
}

/** A figure with its bound. */
interface Ratio {
  readonly name: string;
  /** The median over the rounds, or the only value. */
  readonly value: number;
  /** Between these lies the middle half of the rounds. */
  readonly half?: readonly [from: number, to: number];
  readonly bound: string;
  readonly ok: boolean;
}

export interface ToolsReport {
  readonly rounds: number;
  readonly rows: readonly Row[];
  /** The ratios to compare, each with its bound. */
  readonly ratios: readonly Ratio[];
  readonly firstAnswerMs: number;
  readonly idleMemoryMb: number;
}

/**
 * Measures one tool, ten in parallel and three in sequence through the API, and a bare workflow on the same server.
 * Every round measures all subjects, so that changes in the speed of the machine affect all alike.
 */
export async function benchTools(): Promise<ToolsReport> {
  const dataDir = makeBenchFolder();
  try {
    const cold = await startService(dataDir);
    // The memory is measured before any load, so that it is that of an idle service.
    const idleMemoryMb = cold.residentBytes() / 1_048_576;
    await cold.stop();
    return await benchWarm(dataDir, idleMemoryMb);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchWarm(dataDir: string, idleMemoryMb: number): Promise<ToolsReport> {
  const service = await startService(dataDir);
  let baseline: Baseline | undefined;
  try {
    baseline = await startBaseline(service.temporalAddress);
    // The service's pid is that of its parent.
    const [worker] = readChildren(service.pid);
    const tools = (count: number): unknown[] => Array.from({ length: count }, () => ONE_CALL);
    const register = (name: string, parameters: object): Promise<unknown> =>
      service.post('/api/tools/register', { name, parameters, execute: '({ a, b }) => a * b' });
    const { operation: _, ...factors } = ONE_CALL.args;
    await register('unchecked', {});
    await register('checked', { a: { type: 'number' }, b: { type: 'number' } });
    const multiply = (toolName: string): Promise<unknown> =>
      service.post('/api/tools/execute', { toolName, args: factors });
    const next = { ...ONE_CALL, args: { ...ONE_CALL.args, a: '{{previous_result}}' } };
    const subjects = [
      subject('bare workflow', baseline.call, baseline.pid),
      subject('one tool', () => service.post('/api/tools/execute', ONE_CALL), worker),
      subject('ten in parallel', () => service.post('/api/tools/execute-multiple', { tools: tools(10) })),
      subject('three in sequence', () =>
        service.post('/api/tools/execute-sequential', { tools: [ONE_CALL, next, next] }),
      ),
      subject('workflow of three steps', () => service.post('/api/workflow/execute-custom', THREE_STEPS)),
      subject('one tool from a sentence', () => service.post('/api/tools/mcp', ONE_SENTENCE)),
      subject('registered tool without a schema', () => multiply('unchecked'), worker),
      subject('registered tool with a schema', () => multiply('checked'), worker),
    ];
    for (const { call, pid } of subjects) {
      await measureThroughput(call, CALLERS, pid === undefined ? WARM_UP_CALLS / 10 : WARM_UP_CALLS);
    }
    for (let round = 0; round < ROUNDS; round += 1) await measureRound(subjects, round);
    return report(subjects, service.firstAnswerMs, idleMemoryMb);
  } finally {
    await baseline?.stop();
    await service.stop();
  }
}

function report(subjects: readonly Subject[], firstAnswerMs: number, idleMemoryMb: number): ToolsReport {
  const [bare, one, ten, three, steps, sentence, unchecked, checked] = subjects as [
    Subject,
    Subject,
    Subject,
    Subject,
    Subject,
    Subject,
    Subject,
    Subject,
  ];
  const overheads = sentence.p50.map((value, round) => value - (one.p50[round] ?? Number.NaN));
  return {
    rounds: ROUNDS,
    rows: subjects.map(({ name, p50, p95, rate, cpu, pid }) => ({
      name,
      p50: median(p50),
      p95: median(p95),
      ...(pid === undefined ? {} : { busy: { throughput: median(rate), cpu: median(cpu) } }),
    })),
    ratios: [
      atMost('one tool : bare, p50', ratiosOf(one.p50, bare.p50), 1.1),
      atLeast(`one tool : bare, throughput at ${CALLERS} callers`, ratiosOf(one.rate, bare.rate), 0.95),
      atMost(`one tool : bare, CPU of the process at ${CALLERS} callers`, ratiosOf(one.cpu, bare.cpu), 1.15),
      atMost('ten in parallel : one tool, p50', ratiosOf(ten.p50, one.p50), 1.15),
      atMost('three in sequence : one tool, p50', ratiosOf(three.p50, one.p50), 1.15),
      atMost('workflow of three steps : one tool, p50', ratiosOf(steps.p50, one.p50), 1.25),
      // The schema of a registered tool is used in a thread of the sandbox, once by the API and once by the worker.
      atMost('registered tool, with a schema : without, p50', ratiosOf(checked.p50, unchecked.p50), 1.15),
      atMost('registered tool, with a schema : without, CPU', ratiosOf(checked.cpu, unchecked.cpu), 1.15),
      atMost('planning a sentence, ms on top of the tool', overheads, 15),
      atMost('first answer after a warm start, s', [firstAnswerMs / 1_000], 5),
      atMost('idle memory of the Node process, MB', [idleMemoryMb], 350),
    ],
    firstAnswerMs,
    idleMemoryMb,
  };
}

function atMost(name: string, values: readonly number[], bound: number): Ratio {
  return { ...summaryOf(name, values), bound: `≤ ${bound}`, ok: median(values) <= bound };
}

function atLeast(name: string, values: readonly number[], bound: number): Ratio {
  return { ...summaryOf(name, values), bound: `≥ ${bound}`, ok: median(values) >= bound };
}

function summaryOf(name: string, values: readonly number[]): Pick<Ratio, 'name' | 'value' | 'half'> {
  const half = [percentile(values, 0.25), percentile(values, 0.75)] as const;
  return { name, value: median(values), ...(values.length > 1 ? { half } : {}) };
}

export function printTools({ rows, ratios, rounds }: ToolsReport): void {
  const number = (value: number | undefined, digits = 1): string =>
    value === undefined ? '' : value.toFixed(digits);
  console.log(`\nMedians over ${rounds} rounds\n`);
  console.log(
    '| | p50 ms | p95 ms | runs/s at 16 callers | CPU ms a run |\n| --- | ---: | ---: | ---: | ---: |',
  );
  for (const { name, p50, p95, busy } of rows) {
    console.log(
      `| ${name} | ${number(p50)} | ${number(p95)} | ${number(busy?.throughput)} | ${number(busy?.cpu)} |`,
    );
  }
  console.log('\n| figure | measured | middle half | bound | |\n| --- | ---: | ---: | ---: | --- |');
  for (const { name, value, half, bound, ok } of ratios) {
    const range = half?.map((one) => number(one, 2)).join(' to ') ?? '';
    console.log(`| ${name} | ${number(value, 2)} | ${range} | ${bound} | ${ok ? 'kept' : 'not kept'} |`);
  }
}
