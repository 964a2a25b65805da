import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Latency, measureLatency, measureThroughput } from './load';
import { startService } from './service';
import { median } from './statistics';
import { makeBenchFolder } from './unwinding';

export interface IntentsReport {
  /** The time of a request with one query. */
  readonly overHttp: Latency;
  /** Queries in a second with 16 callers. */
  readonly throughput: number;
  /** The median time of 1,000 queries in one run, ms. */
  readonly batchMs: number;
}

const SENTENCES = resolve(__dirname, '../../packages/plain-english/test/intents/held-out.jsonl');
const BATCH = 1_000;
const BATCHES = 5;
const CALLS = 600;
const CALLERS = 16;
const OPTIONS = { userId: 'bench', sessionId: 'bench' };

/**
 * Measures classifying by the built-in rules over HTTP and in batches. `npm run bench:english` measures the rules
 * alone.
 */
export async function benchIntents(): Promise<IntentsReport> {
  const lines = readFileSync(SENTENCES, 'utf8').trim().split('\n');
  const sentences = lines.map((line) => JSON.parse(line) as { query: string; previous?: string[] });
  let asked = 0;
  const next = () => sentences[asked++ % sentences.length] ?? { query: 'hello' };
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir);
  try {
    await service.post('/api/intent-classifier/initialize', {});
    const single = (): Promise<unknown> => {
      const { query, previous = [] } = next();
      const options = { ...OPTIONS, previousIntents: previous };
      return service.post('/api/intent-classifier/classify', { query, options });
    };
    const batch = (): Promise<unknown> =>
      service.post('/api/intent-classifier/classify-batch', {
        queries: Array.from({ length: BATCH }, (_, n) => ({ id: String(n), query: next().query })),
      });
    await measureLatency(single, sentences.length);
    await batch();
    const batches: number[] = [];
    for (let n = 0; n < BATCHES; n += 1) batches.push((await measureLatency(batch, 1)).p50);
    return {
      overHttp: await measureLatency(single, CALLS),
      throughput: await measureThroughput(single, CALLERS, CALLS),
      batchMs: median(batches),
    };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export function printIntents({ overHttp, throughput, batchMs }: IntentsReport): void {
  const row = (name: string, { p50, p95 }: Latency): string =>
    `| ${name} | ${p50.toFixed(2)} | ${p95.toFixed(2)} |`;
  console.log('| | p50 ms | p95 ms |\n| --- | ---: | ---: |');
  console.log(row('a query over HTTP, counted', overHttp));
  console.log(`\n${throughput.toFixed(0)} queries/s at ${CALLERS} callers`);
  console.log(`${BATCH} queries in one batch: ${batchMs.toFixed(0)} ms`);
}
