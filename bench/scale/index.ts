import { ONE_CALL } from '../service';
import { canPin } from './cpu';
import { developmentServer } from './engine';
import { hasProductionServer, productionServer } from './production-engine';
import { type Placement, runScenario, type ScaleRow, type Scenario, type Workload } from './scenario';
import { startSlowPeer } from './slow-peer';

export interface ScaleTable {
  readonly title: string;
  readonly sections: readonly { readonly name: string; readonly rows: readonly ScaleRow[] }[];
}

const WORKERS = [1, 2, 4];
const WAIT_MS = 200;
/** With few slots they limit the workers; with many slots the CPU does. */
const FEW_SLOTS = 1;
const MANY_SLOTS = 20;
const CALLERS = 16;
const MAX_CALLERS = 64;

/** Runs of one call that waits for a peer, on workers with this number of slots each. */
function waiting(peerUrl: string, slots: number): Workload {
  return {
    path: '/api/tools/execute',
    body: { toolName: 'api_call', args: { url: peerUrl, method: 'GET' } },
    env: { WORKER_MAX_IO_ACTIVITIES: String(slots) },
    // There are enough callers that a slot never waits for one.
    callers: (workers) => Math.min(2 * slots * workers, MAX_CALLERS),
    slots: { each: slots, waitMs: WAIT_MS },
  };
}

/** Runs of one call that does not wait. */
const computing: Workload = {
  path: '/api/tools/execute',
  body: ONE_CALL,
  env: {},
  callers: () => CALLERS,
};

const ENGINE_ALONE: Placement = { engine: 0, api: 1, workers: 1, load: 1 };
const WORKERS_ALONE: Placement = { engine: 1, api: 1, workers: 0, load: 1 };

/** Measures how throughput grows with the number of workers, and what limits it. */
export async function benchScale(): Promise<ScaleTable[]> {
  const peer = await startSlowPeer(WAIT_MS);
  const common = { engine: developmentServer, workers: WORKERS };
  const waits = waiting(peer.url, FEW_SLOTS);
  try {
    const tables = [
      await measureTable('Steps that wait 200 ms', [
        { name: `${FEW_SLOTS} slot each`, ...common, workload: waits },
        { name: `${MANY_SLOTS} slots each`, ...common, workload: waiting(peer.url, MANY_SLOTS) },
      ]),
    ];
    if (canPin()) {
      tables.push(
        await measureTable('Steps that wait 200 ms, processes pinned', [
          { name: 'server on core 0, all else on 1', ...common, workload: waits, placement: ENGINE_ALONE },
          { name: 'workers on core 0, all else on 1', ...common, workload: waits, placement: WORKERS_ALONE },
        ]),
      );
    }
    tables.push(
      await measureTable('Steps that wait for nothing', [
        { name: 'any core', ...common, workload: computing },
      ]),
    );
    if (hasProductionServer()) tables.push(await compareServers(waits));
    else console.error('no production server: node scripts/setup/cluster.mjs sets it up');
    return tables;
  } finally {
    await peer.close();
  }
}

/** Measures the same runs on both servers, so that only the cost of the server differs. */
function compareServers(waits: Workload): Promise<ScaleTable> {
  const scenarios = [waits, computing].flatMap((workload) =>
    [developmentServer, productionServer].map((engine) => ({
      name: `${engine.name}, ${workload === waits ? 'waiting' : 'computing'}`,
      engine,
      workload,
      workers: [1, 4],
    })),
  );
  return measureTable('The servers beside one another', scenarios);
}

async function measureTable(title: string, scenarios: readonly Scenario[]): Promise<ScaleTable> {
  const sections: { name: string; rows: ScaleRow[] }[] = [];
  for (const scenario of scenarios) {
    sections.push({ name: scenario.name, rows: await runScenario(scenario) });
  }
  return { title, sections };
}

const HEAD = [
  'workers',
  'runs/s',
  ': one worker',
  'p50 ms',
  'p95 ms',
  'slots busy',
  'server',
  'API',
  'workers',
  'load',
  'cores used',
  'cores busy',
];

export function printScale(tables: readonly ScaleTable[]): void {
  for (const { title, sections } of tables) {
    console.log(`\n${title}: server, API, workers and load in ms of CPU a run, cores used by all of these\n`);
    console.log(`| | ${HEAD.join(' | ')} |\n| --- |${' ---: |'.repeat(HEAD.length)}`);
    for (const { name, rows } of sections) {
      for (const row of rows) console.log(`| ${[name, ...toCells(row)].join(' | ')} |`);
    }
  }
  const rows = tables.flatMap(({ sections }) => sections.flatMap((section) => section.rows));
  const maxMegabytes = (of: (row: ScaleRow) => number): string =>
    (Math.max(...rows.map(of)) / 1_048_576).toFixed(0);
  console.log(
    `\nresident at most: API ${maxMegabytes(({ memory }) => memory.api)} MB, a worker ${maxMegabytes(({ memory }) => memory.worker)} MB`,
  );
}

function toCells({ workers, rate, ratio, p50, p95, slotsBusy, cpu, cores }: ScaleRow): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  return [
    String(workers),
    rate.toFixed(1),
    ratio.toFixed(2),
    p50.toFixed(0),
    p95.toFixed(0),
    slotsBusy === undefined ? '' : percent(slotsBusy),
    ...[cpu.engine, cpu.api, cpu.workers, cpu.load].map((ms) => ms.toFixed(1)),
    ((rate * (cpu.engine + cpu.api + cpu.workers + cpu.load)) / 1_000).toFixed(2),
    cores.map(percent).join(', '),
  ];
}
