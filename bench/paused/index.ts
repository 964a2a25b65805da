import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Approval } from '../../src/contracts/http/approvals';
import { startSlowPeer } from '../scale/slow-peer';
import { type BenchService, ONE_CALL, startService } from '../service';
import { readServiceFigures, readServiceMemory } from '../service-figures';
import { median, percentile } from '../statistics';
import { makeBenchFolder, unwinding } from '../unwinding';

/** The service while a number of runs waits for people. */
export interface PausedFigures {
  readonly paused: number;
  /** Resident memory, MB. */
  readonly service: number;
  readonly server: number;
  /** CPU time in a second, ms. */
  readonly serviceCpu: number;
  readonly serverCpu: number;
}

export interface PausedReport {
  readonly figures: readonly PausedFigures[];
  /** From an answer to the request of the approved call, ms. */
  readonly goingOn: { readonly p50: number; readonly p95: number };
}

const STEPS = [0, 1_000, 5_000, 10_000];
const AT_ONCE = 16;
const APPROVAL = { approval: { tools: 'all' } };
const PENDING = "WorkflowType = 'approval' AND ExecutionStatus = 'Running'";
const SETTLE_MS = 20_000;
const WATCHED_MS = 30_000;
const ANSWERS = 50;
const MB = 1_048_576;

/** Measures what runs cost that wait for people, and how soon one goes on that is answered. */
export async function benchPaused(): Promise<PausedReport> {
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir);
  try {
    const figures: PausedFigures[] = [];
    let before = 0;
    for (const paused of STEPS) {
      await pause(service, before, paused);
      before = paused;
      await delay(SETTLE_MS);
      figures.push(await measure(service, dataDir, paused));
    }
    return { figures, goingOn: await timeAnswers(service) };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Starts runs without waiting for them, until `total` wait for a person. */
async function pause({ url, temporalAddress }: BenchService, before: number, total: number): Promise<void> {
  const body = JSON.stringify({ ...ONE_CALL, options: APPROVAL });
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
  let started = before;
  const startNext = async (): Promise<void> => {
    while (started < total) {
      started += 1;
      const answer = await fetch(`${url}/api/tools/execute`, { method: 'POST', headers, body });
      if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startNext));
  const connection = await Connection.connect({ address: temporalAddress });
  const { workflow } = new Client({ connection });
  try {
    while ((await workflow.count(PENDING)).count < total) await delay(1_000);
  } finally {
    await connection.close();
  }
}

async function startPaused(service: BenchService, call: object): Promise<Approval> {
  const { data } = (await service.post('/api/tools/execute', { ...call, options: APPROVAL })) as {
    data: { approvals: [Approval] };
  };
  return data.approvals[0];
}

async function measure(service: BenchService, dataDir: string, paused: number): Promise<PausedFigures> {
  const before = readServiceFigures(service.pid, dataDir);
  await delay(WATCHED_MS);
  const after = readServiceFigures(service.pid, dataDir);
  const memory = readServiceMemory(service.pid, dataDir);
  const seconds = WATCHED_MS / 1_000;
  return {
    paused,
    service: memory.service / MB,
    server: memory.server / MB,
    serviceCpu: (after.serviceCpu - before.serviceCpu) / seconds,
    serverCpu: (after.serverCpu - before.serverCpu) / seconds,
  };
}

/** Answers runs that wait, one after another, each of which then calls a peer. */
async function timeAnswers(service: BenchService): Promise<PausedReport['goingOn']> {
  let noteArrival = (): void => undefined;
  const peer = await startSlowPeer(0, () => noteArrival());
  const close = unwinding.add(() => peer.close());
  try {
    const times: number[] = [];
    for (let answer = 0; answer < ANSWERS; answer += 1) {
      const { id } = await startPaused(service, { toolName: 'api_call', args: { url: peer.url } });
      const began = performance.now();
      const arrived = new Promise<void>((resolve) => (noteArrival = resolve));
      await service.post(`/api/approvals/${id}`, { decision: 'approve' });
      await arrived;
      times.push(performance.now() - began);
    }
    return { p50: median(times), p95: percentile(times, 0.95) };
  } finally {
    await close();
  }
}

export function printPaused({ figures, goingOn }: PausedReport): void {
  console.log('| runs that wait | service MB | Temporal MB | service, CPU ms a second | Temporal |');
  console.log('| ---: | ---: | ---: | ---: | ---: |');
  for (const { paused, service, server, serviceCpu, serverCpu } of figures) {
    const cells = [service, server, serviceCpu, serverCpu].map((figure) => figure.toFixed(1));
    console.log(`| ${paused} | ${cells.join(' | ')} |`);
  }
  console.log(
    `\nfrom an answer to the call: p50 ${goingOn.p50.toFixed(1)} ms, p95 ${goingOn.p95.toFixed(1)} ms`,
  );
}
