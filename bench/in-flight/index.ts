import { readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Agent, request } from 'undici';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readChildren, readResidentBytes } from '../scale/cpu';
import { startService } from '../service';
import { makeBenchFolder, unwinding } from '../unwinding';
import { type LargePeer, startLargePeer } from './peer';
import { compiledEntry } from '../../src/base/compiled-entry';
import { percentile } from '../statistics';

const SAMPLE_MS = 100;

const STEPS = 16;
const READERS = [1, 15, 60] as const;
const CALLS = 4;
const ITEMS = 1_000;
const CONCURRENCY = 50;

interface Reading extends Stalls {
  readonly name: string;
  readonly seconds: number;
  /** How many requests had each status; 0 for one without a whole answer. */
  readonly statuses: Readonly<Record<number, number>>;
}

export interface InFlightReport {
  readonly readings: readonly Reading[];
}

/** Measures what large values do to everybody else: how long `/livez` takes and how much memory the service needs. */
export async function benchInFlight(): Promise<InFlightReport> {
  const service = await startService(makeBenchFolder(), { WAIT_LIMIT_MS: '300000' });
  const stopService = unwinding.add(() => service.stop());
  const peer = await startLargePeer();
  const stopPeer = unwinding.add(() => peer.stop());
  const agent = new Agent({ connections: 100, headersTimeout: 0, bodyTimeout: 0 });
  const send = createSender(agent, service.url);
  const watched = { url: service.url, pid: findService(service.pid) };
  const readings: Reading[] = [];

  async function measure(name: string, requests: readonly (() => Promise<number>)[]): Promise<void> {
    const started = performance.now();
    const { stalls, result } = await measureStalls(watched, () => Promise.all(requests.map((one) => one())));
    const statuses: Record<number, number> = {};
    for (const status of result) statuses[status] = (statuses[status] ?? 0) + 1;
    readings.push({ name, seconds: (performance.now() - started) / 1_000, statuses, ...stalls });
  }

  const traceId = await startLargeRun(agent, service.url, peer);
  await measure('a run of 64 MB', [() => send(`/api/runs/${traceId}/wait?timeout=60`)]);
  for (const count of READERS) {
    const reader = (): Promise<number> => send(`/api/runs/${traceId}`);
    await measure(`${count} readers of it`, repeat(count, reader));
  }
  const call = { toolName: 'api_call', args: { url: `${peer.url}/keys` } };
  await measure(
    `${CALLS} calls, 240,000 keys`,
    repeat(CALLS, () => send('/api/tools/execute', call)),
  );
  const forEach = { items: Array.from({ length: ITEMS }, (_, n) => n), concurrency: CONCURRENCY };
  const step = { id: 'each', type: 'api_call', config: { url: `${peer.url}/keys?{{item}}` }, forEach };
  const workflow = { name: 'keys', steps: [step] };
  await measure('forEach, 240,000 keys', [() => send('/api/workflow/execute-custom', { workflow })]);
  await agent.close();
  await stopPeer();
  await stopService();
  return { readings };
}

function repeat<T>(count: number, what: T): T[] {
  return Array.from({ length: count }, () => what);
}

/** Starts a run that keeps 62 million characters. @returns its trace id */
async function startLargeRun(agent: Agent, url: string, peer: LargePeer): Promise<string> {
  const steps = Array.from({ length: STEPS }, (_, n) => ({
    id: `s${n}`,
    type: 'api_call',
    config: { url: `${peer.url}/text` },
    dependsOn: [],
  }));
  const answer = await request(`${url}/api/workflow/execute-custom`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ workflow: { name: 'large', steps } }),
    dispatcher: agent,
  });
  return ((await answer.body.json()) as { data: { traceId: string } }).data.traceId;
}

/** Sends a request, with a body as a POST, and reads the answer without keeping it. @returns as `Reading.statuses` */
function createSender(agent: Agent, url: string) {
  return async (path: string, body?: object): Promise<number> => {
    try {
      const answer = await request(`${url}${path}`, {
        dispatcher: agent,
        ...(body === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
      });
      answer.body.resume();
      await finished(answer.body);
      return answer.statusCode;
    } catch {
      return 0;
    }
  };
}

/** The process that serves. The parent's other children are short-lived. */
function findService(parent: number): number {
  return (
    readChildren(parent).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('service.js')) ??
    parent
  );
}

export function printInFlight({ readings }: InFlightReport): void {
  console.log('/livez every 20 ms, ms; resident memory at most; answers by status (0: not whole)');
  console.log(`${' '.repeat(24)} seconds     p50     p99     max     GB`);
  for (const { name, seconds, p50, p99, max, maxResidentBytes, statuses } of readings) {
    const times = [p50, p99, max].map((ms) => ms.toFixed(0));
    const figures = [seconds.toFixed(1), ...times, (maxResidentBytes / 1e9).toFixed(2)];
    const columns = figures.map((figure) => figure.padStart(8)).join('');
    console.log(`${name.padEnd(24)}${columns}  ${JSON.stringify(statuses)}`);
  }
}

/** How a process answered its probe while something ran, and how much memory it had. */
interface Stalls {
  /** Time of an answer of `/livez`, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly maxResidentBytes: number;
}

/**
 * Asks a service for `/livez` every 20 ms from another process, and watches its memory, while `work` runs.
 * @param pid the process whose memory is watched
 */
export async function measureStalls<T>(
  service: { readonly url: string; readonly pid: number },
  work: () => Promise<T>,
): Promise<{ readonly stalls: Stalls; readonly result: T }> {
  const probe = fork(compiledEntry('bench/in-flight/probe'), [service.url]);
  const ended = once(probe, 'exit').then(() => Promise.reject(new Error('the probe ended')));
  // It ends after its last message too, when no code waits for it.
  ended.catch(() => undefined);
  await Promise.race([once(probe, 'message'), ended]);
  let maxResidentBytes = readResidentBytes(service.pid);
  const sampler = setInterval(() => {
    maxResidentBytes = Math.max(maxResidentBytes, readResidentBytes(service.pid));
  }, SAMPLE_MS);
  try {
    const result = await work();
    const answered = once(probe, 'message') as Promise<[number[]]>;
    probe.send('stop');
    const [times] = await Promise.race([answered, ended]);
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(times, share)) as [
      number,
      number,
      number,
    ];
    return { stalls: { p50, p99, max, maxResidentBytes }, result };
  } finally {
    clearInterval(sampler);
    if (probe.connected) probe.disconnect();
  }
}
