import { rmSync } from 'node:fs';
import { timeCalls } from '../load';
import { startSlowPeer } from '../scale/slow-peer';
import { type BenchService, startService } from '../service';
import { costOfEach, readServiceFigures, readServiceMemory } from '../service-figures';
import { median, percentile } from '../statistics';
import { makeBenchFolder } from '../unwinding';
import { findGrowth, type SoakRow } from './flatness';
import { prepareKinds, type RunKind, runKinds } from './kinds';

export interface SoakReport {
  readonly rows: readonly SoakRow[];
  /** A sentence for each figure that is not flat. */
  readonly growth: readonly string[];
}

const RUNS = Number(process.env['SOAK_RUNS'] ?? 10_000);
const RUNS_A_ROW = Math.max(1, Math.floor(RUNS / 10));
const CALLERS = 4;

/**
 * Sends requests of all areas to the service as `npm start` runs it, and measures the service after each tenth of
 * them.
 */
export async function benchSoak(): Promise<SoakReport> {
  const dataDir = makeBenchFolder();
  const peer = await startSlowPeer(0);
  try {
    const service = await startService(dataDir);
    try {
      await prepareKinds(service);
      const kinds = runKinds(service, peer.url);
      const rows: SoakRow[] = [];
      for (let done = 0; done < RUNS; done += RUNS_A_ROW) {
        const row = await runStretch(service, kinds, dataDir, done);
        rows.push(row);
        console.error(toCells(row).join('  '));
      }
      return { rows, growth: findGrowth(rows) };
    } finally {
      await service.stop();
    }
  } finally {
    await peer.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function runStretch(
  { pid }: BenchService,
  kinds: readonly RunKind[],
  dataDir: string,
  done: number,
): Promise<SoakRow> {
  const before = readServiceFigures(pid, dataDir);
  let n = done;
  const call = (): Promise<unknown> => (kinds[(n += 1) % kinds.length] as RunKind)(n);
  const times = await timeCalls(call, CALLERS, RUNS_A_ROW);
  const cost = costOfEach(before, readServiceFigures(pid, dataDir), RUNS_A_ROW);
  return {
    runs: done + RUNS_A_ROW,
    p50: median(times),
    p95: percentile(times, 0.95),
    cpu: cost.serviceCpu + cost.serverCpu,
    ...readServiceMemory(pid, dataDir),
    history: cost.history,
    stores: cost.stores,
    values: cost.values,
  };
}

export function printSoak({ rows, growth }: SoakReport): void {
  console.log(`\n${RUNS} runs of all areas at ${CALLERS} callers\n`);
  console.log(
    '| runs | p50, ms | p95, ms | CPU a run, ms | service, MB | server, MB | history a run, kB | stores, kB | values, kB |',
  );
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const row of rows) console.log(`| ${toCells(row).join(' | ')} |`);
  console.log(growth.length === 0 ? '\nAll figures are flat.' : `\nNot flat:\n${growth.join('\n')}`);
  if (growth.length > 0) process.exitCode = 1;
}

function toCells({ runs, p50, p95, cpu, service, server, history, stores, values }: SoakRow): string[] {
  const figures = [p50, p95, cpu, service / 1e6, server / 1e6, history / 1e3, stores / 1e3, values / 1e3];
  return [String(runs), ...figures.map((figure) => figure.toFixed(1))];
}
