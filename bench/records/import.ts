import { rmSync } from 'node:fs';
import { readData, runImport } from '../run-import';
import { startService } from '../service';
import { percentile } from '../statistics';
import { world } from './world';
import { makeBenchFolder } from '../unwinding';

export interface ImportBench {
  readonly rows: number;
  /** Created records in a second, from the request to the end of the run. */
  readonly rate: number;
  /** Times of lists over HTTP after the import, ms. */
  readonly p50: number;
  readonly p95: number;
}

const LISTS = 200;
const QUERIES = [
  '',
  '?status=delivered&sort=departureAt',
  '?originFacilityId=facility-7',
  '?departureAtFrom=2025-06-01&departureAtTo=2025-06-07&sort=-quantityKilograms',
  '?lot=LOT-5000',
];

/** Measures an import by the service as `npm start` runs it, and lists of the imported records. */
export async function benchImport(shipments: number): Promise<ImportBench> {
  const folder = makeBenchFolder();
  const service = await startService(folder);
  try {
    const lines = [...world(shipments)].map(({ collection, id, body }) =>
      JSON.stringify({ collection, id, ...body }),
    );
    const started = performance.now();
    const report = await runImport(service.recordsUrl, lines.join('\n'));
    const seconds = (performance.now() - started) / 1_000;
    if (report.created !== lines.length) throw new Error(`${report.failed} rows failed`);
    const times: number[] = [];
    for (let n = 0; n < LISTS; n += 1) {
      const begun = performance.now();
      await readData(`${service.recordsUrl}/api/shipments${QUERIES[n % QUERIES.length]}`);
      times.push(performance.now() - begun);
    }
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    return { rows: lines.length, rate: lines.length / seconds, p50, p95 };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
