import { rmSync } from 'node:fs';
import { Connection } from '@temporalio/client';
import { measureThroughput, timeCalls, type Call } from '../load';
import { type BenchService, ONE_CALL, startService } from '../service';
import { costOfEach, readServerPid, readServiceFigures } from '../service-figures';
import { median, percentile } from '../statistics';
import { makeBenchFolder, unwinding } from '../unwinding';
import { measureRetention, type RetentionCost } from './retention';
import { compareRows, type GrowthRow, parseCounts, type Ratio, type ListCost } from './rows';
import { ownerQuery } from '../../src/contracts/runs/run-owner';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import { readCpuMs } from '../scale/cpu';

const CALLS = 60;
const PAGE_SIZE = 100;
const HTTP_PAGE_SIZE = 50;
const NAMESPACE = 'default';

export interface GrowthReport {
  readonly rows: readonly GrowthRow[];
  readonly ratios: readonly Ratio[];
  readonly retention: RetentionCost;
}

const DEFAULT_COUNTS = '1000,10000,50000';
const CALLERS = 16;
/** The number of runs in a measurement, which are in the database afterwards. */
const MEASURED = 500;

/**
 * Fills the database of the development server with runs of a light tool, and measures at each of the numbers of runs
 * in `GROWTH_RUNS` what further runs and lists of runs cost. At the end it measures the removal of the oldest runs by
 * retention.
 */
export async function benchGrowth(): Promise<GrowthReport> {
  const counts = parseCounts(process.env['GROWTH_RUNS'] ?? DEFAULT_COUNTS);
  const dataDir = makeBenchFolder();
  try {
    const rows = await measureRows(dataDir, counts);
    const retention = await measureRetention(dataDir);
    return { rows, ratios: compareRows(rows), retention };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureRows(dataDir: string, counts: readonly number[]): Promise<GrowthRow[]> {
  const service = await startService(dataDir);
  try {
    const rows: GrowthRow[] = [];
    // The start of the service has made one call.
    let runs = 1;
    for (const count of counts) {
      const missing = Math.max(0, count - runs);
      await measureThroughput(() => callOnce(service), CALLERS, missing);
      runs += missing;
      const row = await measureRow(service, dataDir, runs);
      runs += MEASURED;
      rows.push(row);
      console.error([...runCells(row), ...row.lists.map(({ p50 }) => p50.toFixed(1))].join('  '));
    }
    return rows;
  } finally {
    await service.stop();
  }
}

function callOnce({ post }: BenchService): Promise<unknown> {
  return post('/api/tools/execute', ONE_CALL);
}

async function measureRow(service: BenchService, dataDir: string, runs: number): Promise<GrowthRow> {
  const before = readServiceFigures(service.pid, dataDir);
  const started = performance.now();
  const times = await timeCalls(() => callOnce(service), CALLERS, MEASURED);
  const seconds = (performance.now() - started) / 1_000;
  const cost = costOfEach(before, readServiceFigures(service.pid, dataDir), MEASURED);
  return {
    runs,
    p50: median(times),
    p95: percentile(times, 0.95),
    rate: MEASURED / seconds,
    cost,
    lists: await measureLists(service, readServerPid(dataDir)),
  };
}

export function printGrowth({ rows, ratios, retention }: GrowthReport): void {
  console.log(`\nEach row by ${MEASURED} runs of a light tool at ${CALLERS} callers\n`);
  printTable(
    [
      'runs before',
      'p50, ms',
      'p95, ms',
      'runs/s',
      'server, ms of CPU',
      'service, ms of CPU',
      'history, kB',
      'stores, kB',
    ],
    rows.map(runCells),
  );
  console.log('\nLists of runs, one after another\n');
  printTable(
    ['runs before', 'list', 'p50, ms', 'p95, ms', 'server, ms of CPU'],
    rows.flatMap((row) =>
      row.lists.map(({ name, p50, p95, serverCpu }) => [
        String(row.runs),
        name,
        ...[p50, p95, serverCpu].map((figure) => figure.toFixed(1)),
      ]),
    ),
  );
  if (ratios.length > 0) {
    console.log('\nThe last row compared with the first\n');
    printTable(
      ['figure', 'ratio'],
      ratios.map(({ name, value }) => [name, value.toFixed(2)]),
    );
  }
  const { runs, left, seconds, serverCpu, bytes } = retention;
  console.log(
    `\nRetention: beside ${left} others, ${runs} runs were removed within ${seconds.toFixed(1)} s. A removal took ` +
      `${serverCpu.toFixed(1)} ms of CPU of the Temporal server and freed ${(bytes / 1e3).toFixed(1)} kB.`,
  );
}

function runCells({ runs, p50, p95, rate, cost }: GrowthRow): string[] {
  const figures = [p50, p95, rate, cost.serverCpu, cost.serviceCpu, cost.history / 1e3, cost.stores / 1e3];
  return [String(runs), ...figures.map((figure) => figure.toFixed(1))];
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`| ${head.join(' | ')} |`);
  console.log(`| ${head.map(() => '---:').join(' | ')} |`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

/** Measures lists of runs one after another: those that the service makes, and a page of the Temporal UI. */
async function measureLists(service: BenchService, serverPid: number): Promise<ListCost[]> {
  const connection = await Connection.connect({ address: service.temporalAddress });
  const release = unwinding.add(() => connection.close());
  try {
    const list = (query: string, pageSize = PAGE_SIZE) =>
      connection.workflowService.listWorkflowExecutions({ namespace: NAMESPACE, pageSize, query });
    const { executions } = await list(`TaskQueue = 'holdfast'`);
    const traceIds = executions.map(({ execution }) => execution?.runId ?? '');
    let n = 0;
    const lookUp = async (): Promise<void> => {
      const traceId = traceIds[(n += 1) % traceIds.length];
      const { status } = await fetch(`${service.url}/api/runs/${traceId}`);
      if (status !== 200) throw new Error(`the look-up of the run ${traceId} was answered with ${status}`);
    };
    const listPage = async (): Promise<void> => {
      const { status } = await fetch(`${service.url}/api/runs?limit=${HTTP_PAGE_SIZE}`);
      if (status !== 200) throw new Error(`a page of runs was answered with ${status}`);
    };
    const kinds: readonly [string, Call][] = [
      [`the latest ${HTTP_PAGE_SIZE} runs over HTTP`, listPage],
      ['a look-up by trace id over HTTP', lookUp],
      [`the latest ${PAGE_SIZE} runs of an area`, () => list(`HoldfastArea = 'tools'`)],
      [
        'the runs of a user without any',
        () => list(ownerQuery({ tenant: DEFAULT_TENANT, user: 'absent-user' })),
      ],
    ];
    const costs: ListCost[] = [];
    for (const [name, call] of kinds) {
      const before = readCpuMs([serverPid]);
      const times = await timeCalls(call, 1, CALLS);
      const serverCpu = (readCpuMs([serverPid]) - before) / CALLS;
      costs.push({ name, p50: median(times), p95: percentile(times, 0.95), serverCpu });
    }
    return costs;
  } finally {
    await release();
  }
}
