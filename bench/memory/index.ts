import { runScenario, type ScenarioReport, type SearchCost } from './scenario';

const SIZES = [1_000, 10_000, 100_000];
const USERS = [100, 1];

/** Measures the embedded memory store alone at each size, with many users and with one user who has all memories. */
export async function benchMemory(): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  for (const memories of SIZES) for (const users of USERS) reports.push(await runScenario(memories, users));
  return reports;
}

export function printMemory(reports: readonly ScenarioReport[]): void {
  const both = ({ p50, p95, cpu }: SearchCost): string =>
    `${p50.toFixed(1)} / ${p95.toFixed(1)} (${cpu.toFixed(1)})`;
  console.log('\nSearches: p50 / p95, in brackets CPU time, ms; the best of several rounds\n');
  console.log(
    '| memories | users | inserts/s | text | vectors | filtered | recall@10 | loop ms | disk MB | RSS MB |',
  );
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const report of reports) {
    const { memories, users, ingest, text, vectors, filtered, recall, loopDelay, diskMb, memoryMb } = report;
    const cells = [
      memories,
      users,
      ingest.toFixed(0),
      both(text),
      both(vectors),
      both(filtered),
      recall.toFixed(3),
    ];
    const rest = [loopDelay, diskMb, memoryMb].map((value) => value.toFixed(0));
    console.log(`| ${[...cells, ...rest].join(' | ')} |`);
  }
}
