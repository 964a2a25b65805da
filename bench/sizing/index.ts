import { rmSync } from 'node:fs';
import { startSlowPeer } from '../scale/slow-peer';
import { measureThroughput } from '../load';
import { type BenchService, ONE_CALL, startService, THREE_STEPS } from '../service';
import { costOfEach, readServiceFigures } from '../service-figures';
import { makeBenchFolder } from '../unwinding';

/** The mean cost of one request of a kind. */
export interface SizingRow {
  readonly name: string;
  /** CPU time of each process, ms. */
  readonly server: number;
  readonly service: number;
  /** How much the databases grew, bytes. The history stays until its retention is over. */
  readonly history: number;
  readonly stores: number;
  /** Size of the files that hold values by reference, bytes. They are removed with the history. */
  readonly values: number;
}

const CALLS = 200;
const CALLERS = 4;
const WARM_UP_CALLS = 40;
/** A value above PAYLOAD_THRESHOLD_BYTES. */
const LARGE = 'x'.repeat(40_000);

/**
 * Measures what runs of each kind cost in CPU time and on disk, with the service in one process as `npm start` runs
 * it.
 */
export async function benchSizing(): Promise<SizingRow[]> {
  const dataDir = makeBenchFolder();
  const peer = await startSlowPeer(0);
  try {
    const service = await startService(dataDir);
    try {
      await service.post('/api/agent/initialize', {});
      const rows: SizingRow[] = [];
      for (const [name, call] of listKinds(service, peer.url)) {
        rows.push(await measureKind(name, call, service.pid, dataDir));
      }
      return rows;
    } finally {
      await service.stop();
    }
  } finally {
    await peer.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function listKinds(
  { post }: BenchService,
  url: string,
): readonly [string, (n: number) => Promise<unknown>][] {
  const apiCall = { toolName: 'api_call', args: { url, method: 'GET' } };
  const largeCall = { toolName: 'api_call', args: { url, method: 'POST', body: { large: LARGE } } };
  const options = (n: number) => ({ userId: 'dana', sessionId: `session-${n}` });
  return [
    ['a light tool', () => post('/api/tools/execute', ONE_CALL)],
    ['a tool in a separate activity', () => post('/api/tools/execute', apiCall)],
    ['the same, with a value of 40 kB', () => post('/api/tools/execute', largeCall)],
    ['a workflow of three light steps', () => post('/api/workflow/execute-custom', THREE_STEPS)],
    [
      'a turn of the agent, by rules',
      (n) => post('/api/agent/execute', { query: 'I like green tea', options: options(n) }),
    ],
    [
      'an event in memory',
      (n) =>
        post('/api/memory/episodic', { ...options(n), content: 'They talked about the price of green tea' }),
    ],
  ];
}

async function measureKind(
  name: string,
  call: (n: number) => Promise<unknown>,
  pid: number,
  dataDir: string,
): Promise<SizingRow> {
  let n = 0;
  const next = (): Promise<unknown> => call((n += 1));
  await measureThroughput(next, CALLERS, WARM_UP_CALLS);
  const before = readServiceFigures(pid, dataDir);
  await measureThroughput(next, CALLERS, CALLS);
  const { serverCpu, serviceCpu, ...bytes } = costOfEach(before, readServiceFigures(pid, dataDir), CALLS);
  return { name, server: serverCpu, service: serviceCpu, ...bytes };
}

export function printSizing(rows: readonly SizingRow[]): void {
  console.log(`\nEach by ${CALLS} requests at ${CALLERS} callers\n`);
  console.log(
    '| a request | server, ms of CPU | service, ms of CPU | history, kB | stores, kB | values, kB |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const { name, server, service, history, stores, values } of rows) {
    const kilobytes = [history, stores, values].map((bytes) => bytes / 1_000);
    const cells = [server, service, ...kilobytes].map((value) => value.toFixed(1));
    console.log(`| ${[name, ...cells].join(' | ')} |`);
  }
}
