import { rm } from 'node:fs/promises';
import { Pool } from 'undici';
import { type Latency, measureThroughput, toLatency } from '../load';
import { postJson } from '../post-json';
import { readChildren } from '../scale/cpu';
import { startService } from '../service';
import { median, percentile } from '../statistics';
import { CALLERS, measureRound, ratiosOf, subject } from '../subjects';
import { makeBenchFolder } from '../unwinding';

const ROUNDS = 7;
const WARM_UP_CALLS = 500;
const STREAMS = 60;
const MAX_RATIO = 1.05;
const QUESTION = 'What is 6 times 7?';

type Figures = Readonly<Record<'p50' | 'p95' | 'rate' | 'cpu', number>>;

export interface OpenAiReport {
  readonly rounds: number;
  /** Medians over the rounds: ms, calls a second at 16 callers, CPU of the service's process for one call, ms. */
  readonly rows: readonly (Figures & {
    readonly name: string;
    /** To the agent's own endpoint; absent for that. */
    readonly ratios?: { readonly p50: readonly number[]; readonly cpu: readonly number[] };
  })[];
  /** From the request to the first event, and to the end, ms. */
  readonly streams: readonly { readonly name: string; readonly first: Latency; readonly end: Latency }[];
}

interface Face {
  readonly name: string;
  readonly path: string;
  /** The request for a user who has asked nothing before, so that no turn waits for another one. */
  readonly bodyOf: (user: string) => object;
  /** How the same is asked for as a stream. */
  readonly streamed: { readonly body?: object; readonly headers?: Record<string, string> };
}

const FACES: readonly Face[] = [
  {
    name: '/api/agent/execute',
    path: '/api/agent/execute',
    bodyOf: (userId) => ({ query: QUESTION, options: { userId, sessionId: 'bench' } }),
    streamed: { headers: { accept: 'text/event-stream' } },
  },
  {
    name: '/v1/chat/completions',
    path: '/v1/chat/completions',
    bodyOf: (user) => ({ model: 'holdfast', user, messages: [{ role: 'user', content: QUESTION }] }),
    streamed: { body: { stream: true } },
  },
  {
    name: '/v1/responses',
    path: '/v1/responses',
    bodyOf: (user) => ({ model: 'holdfast', user, input: QUESTION }),
    streamed: { body: { stream: true } },
  },
];

/** Measures the same turn of the agent over its own endpoint and over those of OpenAI's API, in turns. */
export async function benchOpenAi(): Promise<OpenAiReport> {
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir);
  const pool = new Pool(service.url, { connections: 32 });
  let users = 0;
  const newUser = (): string => `user-${(users += 1)}`;
  try {
    await service.post('/api/agent/initialize', {});
    // The service's pid is that of its parent.
    const pid = readChildren(service.pid).at(0) ?? service.pid;
    const subjects = FACES.map(({ name, path, bodyOf }) =>
      subject(name, () => postJson(pool, path, bodyOf(newUser())), pid),
    );
    for (const { call } of subjects) await measureThroughput(call, CALLERS, WARM_UP_CALLS);
    for (let round = 0; round < ROUNDS; round += 1) await measureRound(subjects, round);
    const [agent] = subjects;
    return {
      rounds: ROUNDS,
      rows: subjects.map((one) => ({
        name: one.name,
        p50: median(one.p50),
        p95: median(one.p95),
        rate: median(one.rate),
        cpu: median(one.cpu),
        ...(agent === undefined || one === agent
          ? {}
          : { ratios: { p50: ratiosOf(one.p50, agent.p50), cpu: ratiosOf(one.cpu, agent.cpu) } }),
      })),
      streams: await timeStreams(service.url, newUser),
    };
  } finally {
    await pool.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timeStreams(url: string, newUser: () => string): Promise<OpenAiReport['streams']> {
  const all = FACES.map((face) => ({ face, first: [] as number[], end: [] as number[] }));
  for (let n = 0; n < STREAMS; n += 1)
    for (const { face, first, end } of all) {
      const started = performance.now();
      const response = await fetch(url + face.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...face.streamed.headers },
        body: JSON.stringify({ ...face.bodyOf(newUser()), ...face.streamed.body }),
      });
      if (!response.ok || response.body === null) throw new Error(`${face.name} answered ${response.status}`);
      let begun = 0;
      for await (const _ of response.body) begun ||= performance.now() - started;
      first.push(begun);
      end.push(performance.now() - started);
    }
  return all.map(({ face, first, end }) => ({
    name: face.name,
    first: toLatency(first),
    end: toLatency(end),
  }));
}

export function printOpenAi({ rounds, rows, streams }: OpenAiReport): void {
  console.log(`\nMedians over ${rounds} rounds\n`);
  console.log(`| | p50 ms | p95 ms | calls/s at ${CALLERS} callers | CPU ms a call |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const { name, p50, p95, rate, cpu } of rows)
    console.log(`| ${name} | ${[p50, p95, rate, cpu].map((value) => value.toFixed(1)).join(' | ')} |`);
  console.log(
    '\n| : /api/agent/execute | measured | middle half | bound | |\n| --- | ---: | ---: | ---: | --- |',
  );
  for (const { name, ratios } of rows)
    for (const [figure, values] of Object.entries(ratios ?? {})) {
      const half = [percentile(values, 0.25), percentile(values, 0.75)]
        .map((one) => one.toFixed(2))
        .join(' to ');
      const verdict = median(values) <= MAX_RATIO ? 'kept' : 'not kept';
      console.log(
        `| ${name}, ${figure} | ${median(values).toFixed(2)} | ${half} | ≤ ${MAX_RATIO} | ${verdict} |`,
      );
    }
  console.log('\n| streamed | first event, p50 / p95 ms | end, p50 / p95 ms |\n| --- | ---: | ---: |');
  const pair = ({ p50, p95 }: Latency): string => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
  for (const { name, first, end } of streams) console.log(`| ${name} | ${pair(first)} | ${pair(end)} |`);
}
