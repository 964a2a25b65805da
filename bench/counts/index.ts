import { join } from 'node:path';
import type { Config } from '../../src/settings/config';
import { type Call, measureLatency, measureThroughput } from '../load';
import { type Deployment, startDeployment } from '../scale/deployment';
import { type BenchEngine, developmentServer } from '../scale/engine';
import type { Environment } from '../scale/part';
import { ONE_CALL } from '../service';
import { median } from '../statistics';
import { makeBenchFolder } from '../unwinding';

/** The median of one figure over all rounds, for one number of workers. */
export interface CountsRow {
  readonly workers: number;
  readonly figure: string;
  readonly here: number;
  /** The figure of the build to compare with, if one is given. */
  readonly beside?: number;
  /** The median of the ratios of the rounds, this build to the other. */
  readonly ratio?: number;
}

export interface CountsReport {
  readonly store: string;
  readonly rounds: number;
  readonly rows: readonly CountsRow[];
}

const WORKERS = [1, 4];
const ROUNDS = 5;
const LATENCY_CALLS = 12;
const LOAD_CALLS = 64;
const CALLERS = 16;
const QUERY = { query: 'What is 15 times 7?', options: { userId: 'bench', sessionId: 'bench' } };
const BATCH = { queries: Array.from({ length: 100 }, (_, n) => ({ id: String(n), ...QUERY })) };

type Figures = Readonly<Record<string, (deployment: Deployment) => Promise<number>>>;

const call = (deployment: Deployment): Call => {
  return () => deployment.post('/api/tools/execute', ONE_CALL);
};
const classification = (deployment: Deployment): Call => {
  return () => deployment.post('/api/intent-classifier/classify', QUERY);
};
const batch = (deployment: Deployment): Call => {
  const body = { ...BATCH, options: { maxConcurrency: 50 } };
  return () => deployment.post('/api/intent-classifier/classify-batch', body);
};

/** The figures, in the order of measuring. */
const FIGURES: Figures = {
  'a light call, 1 caller, p50 ms': async (deployment) =>
    (await measureLatency(call(deployment), LATENCY_CALLS)).p50,
  'light calls, 16 callers, a second': (deployment) =>
    measureThroughput(call(deployment), CALLERS, LOAD_CALLS),
  'a classification, 1 caller, p50 ms': async (deployment) =>
    (await measureLatency(classification(deployment), LATENCY_CALLS)).p50,
  'classifications, 16 callers, a second': (deployment) =>
    measureThroughput(classification(deployment), CALLERS, LOAD_CALLS),
  'a classification beside 8 callers of light calls, p50 ms': besideCalls,
  'a batch of 100 classifications, 50 at once, ms': async (deployment) =>
    (await measureLatency(batch(deployment), 1)).p50,
};

async function besideCalls(deployment: Deployment): Promise<number> {
  let going = true;
  const callers = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (going) await call(deployment)();
    }),
  );
  try {
    return (await measureLatency(classification(deployment), LATENCY_CALLS)).p50;
  } finally {
    going = false;
    await callers;
  }
}

/**
 * Measures runs whose outcomes are counted in one store, with one worker and with four. `BENCH_BESIDE` names the
 * `dist` folder of another build of the service. Both builds are then measured alternately on the same servers. The
 * settings name the store; a Neo4j server has to be empty.
 */
export async function benchCounts({ neo4j }: Config): Promise<CountsReport> {
  const dir = makeBenchFolder();
  const engine = await developmentServer.start(join(dir, 'engine'));
  try {
    const rows: CountsRow[] = [];
    for (const workers of WORKERS) rows.push(...(await measureRows(engine, dir, workers)));
    return { store: neo4j === undefined ? 'SQLite' : 'Neo4j', rounds: ROUNDS, rows };
  } finally {
    await engine.stop();
  }
}

async function measureRows(engine: BenchEngine, dir: string, workers: number): Promise<CountsRow[]> {
  const builds = [
    undefined,
    ...(process.env['BENCH_BESIDE'] === undefined ? [] : [process.env['BENCH_BESIDE']]),
  ];
  const deployments: Deployment[] = [];
  try {
    for (const [number, build] of builds.entries()) {
      const folder = join(dir, `${workers}-${number}`);
      const deployment = await startDeployment({ engine, dir: folder, workers, env: storeSettings(), build });
      deployments.push(deployment);
      await deployment.post('/api/intent-classifier/initialize', {});
      await measureThroughput(call(deployment), CALLERS, LOAD_CALLS);
      await measureThroughput(classification(deployment), CALLERS, LOAD_CALLS);
    }
    const samples = new Map(
      Object.keys(FIGURES).map((figure) => [figure, deployments.map((): number[] => [])]),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [figure, measure] of Object.entries(FIGURES)) {
        const order = [...deployments.entries()];
        // The order alternates, so that what one build leaves behind affects both alike.
        if (round % 2 === 1) order.reverse();
        for (const [number, deployment] of order)
          samples.get(figure)?.[number]?.push(await measure(deployment));
      }
    }
    return [...samples].map(([figure, [here = [], beside]]) => ({
      workers,
      figure,
      here: median(here),
      ...(beside && {
        beside: median(beside),
        ratio: median(here.map((value, round) => value / (beside[round] ?? Number.NaN))),
      }),
    }));
  } finally {
    for (const deployment of deployments) await deployment.stop();
  }
}

/** The settings of the store in the environment of this process. */
function storeSettings(): Environment {
  const given = Object.entries(process.env).filter(([name]) => /^(GRAPH_STORE|NEO4J_.*)$/.test(name));
  return Object.fromEntries(given as [string, string][]);
}

export function printCounts({ store, rounds, rows }: CountsReport): void {
  console.log(`\nmedians of ${rounds} rounds, counted in ${store}\n`);
  console.log('| workers | figure | here | beside | here : beside |\n| ---: | --- | ---: | ---: | ---: |');
  for (const { workers, figure, here, beside, ratio } of rows) {
    const cells = [workers, figure, here.toFixed(1), beside?.toFixed(1) ?? '', ratio?.toFixed(2) ?? ''];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
