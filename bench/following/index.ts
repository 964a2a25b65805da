import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Latency, measureLatency, toLatency } from '../load';
import { startSlowPeer } from '../scale/slow-peer';
import { type BenchService, ONE_CALL, startService } from '../service';
import { readServiceFigures } from '../service-figures';
import { makeBenchFolder, unwinding } from '../unwinding';
import { readEvents } from './read-events';

/** CPU time in a second while a run waits for a tool, ms. */
export interface IdleCpu {
  readonly followers: number;
  readonly service: number;
  readonly server: number;
}

export interface FollowingReport {
  /** All in ms. */
  readonly synchronous: Latency;
  readonly firstEvent: Latency;
  readonly lastEvent: Latency;
  /** From the time of an event, by the server's clock, to its arrival. */
  readonly delay: Latency;
  readonly idle: readonly IdleCpu[];
}

const CALLS = 60;
const STEPS = 20;
const STEP_MS = 200;
const FOLLOWERS = [0, 1, 100];
const WATCHED_MS = 8_000;
/** Followers connect in this time, before CPU time is counted. */
const SETTLE_MS = 2_000;

/** Measures what it takes to follow runs by server-sent events. */
export async function benchFollowing(): Promise<FollowingReport> {
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir);
  try {
    const call = (): Promise<unknown> => service.post('/api/tools/execute', ONE_CALL);
    await measureLatency(call, CALLS);
    const synchronous = await measureLatency(call, CALLS);
    const streamed = await timeStreams(service);
    const idle: IdleCpu[] = [];
    for (const followers of FOLLOWERS) idle.push(await measureIdle(service, dataDir, followers));
    return { synchronous, ...streamed, delay: await measureDelay(service), idle };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function start({ url }: BenchService, body: object, headers: Record<string, string>): Promise<Response> {
  return fetch(`${url}/api/tools/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function timeStreams(
  service: BenchService,
): Promise<Pick<FollowingReport, 'firstEvent' | 'lastEvent'>> {
  const first: number[] = [];
  const last: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const started = performance.now();
    let end = 0;
    let begin = 0;
    await readEvents(await start(service, ONE_CALL, { accept: 'text/event-stream' }), () => {
      end = performance.now() - started;
      begin ||= end;
    });
    first.push(begin);
    last.push(end);
  }
  return { firstEvent: toLatency(first), lastEvent: toLatency(last) };
}

/** Measures the delay of the end of a step that takes a while, which no other event hides. */
async function measureDelay(service: BenchService): Promise<Latency> {
  const peer = await startSlowPeer(STEP_MS);
  const close = unwinding.add(() => peer.close());
  try {
    const delays: number[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const response = await start(service, callOf(peer.url), { accept: 'text/event-stream' });
      await readEvents(response, ({ type, time, arrived }) => {
        if (type === 'step.completed') delays.push(arrived - time);
      });
    }
    return toLatency(delays);
  } finally {
    await close();
  }
}

async function measureIdle(service: BenchService, dataDir: string, followers: number): Promise<IdleCpu> {
  const peer = await startSlowPeer(WATCHED_MS + 2 * SETTLE_MS);
  const close = unwinding.add(() => peer.close());
  try {
    const accepted = await start(service, callOf(peer.url), { prefer: 'respond-async' });
    const events = `${service.url}${accepted.headers.get('location')?.replace('?', '/events?')}`;
    let ended = 0;
    const readers = Array.from({ length: followers }, async () => {
      await readEvents(await fetch(events), ({ type }) => {
        if (type === 'run.completed') ended += 1;
      });
    });
    await delay(SETTLE_MS);
    const before = readServiceFigures(service.pid, dataDir);
    await delay(WATCHED_MS);
    const after = readServiceFigures(service.pid, dataDir);
    await Promise.all(readers);
    if (ended !== followers) throw new Error(`${followers - ended} followers did not see the end`);
    const seconds = WATCHED_MS / 1_000;
    return {
      followers,
      service: (after.serviceCpu - before.serviceCpu) / seconds,
      server: (after.serverCpu - before.serverCpu) / seconds,
    };
  } finally {
    await close();
  }
}

function callOf(url: string): object {
  return { toolName: 'api_call', args: { url } };
}

export function printFollowing(report: FollowingReport): void {
  const { synchronous, firstEvent, lastEvent, delay: late, idle } = report;
  const row = (name: string, { p50, p95 }: Latency): string =>
    `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`;
  console.log('| | p50 ms | p95 ms |\n| --- | ---: | ---: |');
  console.log(row('a synchronous call', synchronous));
  console.log(row('its first event', firstEvent));
  console.log(row('its last event', lastEvent));
  console.log(row('the end of a step, after it was recorded', late));
  console.log(
    '\n| followers of a run that waits | service, CPU ms a second | Temporal |\n| ---: | ---: | ---: |',
  );
  for (const { followers, service, server } of idle)
    console.log(`| ${followers} | ${service.toFixed(1)} | ${server.toFixed(1)} |`);
}
