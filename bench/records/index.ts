import { rmSync } from 'node:fs';
import type { Neo4jSettings } from '../../src/stores/neo4j/settings';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import { createNeo4jRecordStores } from '../../packages/records/stores/neo4j';
import { createSqliteRecordStores } from '../../packages/records/stores/sqlite';
import { benchImport, type ImportBench } from './import';
import { type RecordsReport, runRecords } from './scenario';
import { makeBenchFolder } from '../unwinding';

const SHIPMENTS = 100_000;

export interface RecordsBench {
  /** Measured by calling the service's code, without HTTP. */
  readonly direct: RecordsReport;
  /** Measured with the embedded store alone. */
  readonly imported?: ImportBench;
}

/**
 * Measures the embedded store, or the Neo4j server of the settings. Its database has to be empty, and the records
 * stay in it.
 */
export async function benchRecords(neo4j: Neo4jSettings | undefined): Promise<RecordsBench> {
  if (neo4j !== undefined) {
    const stores = createNeo4jRecordStores({ neo4j: { ...neo4j, operationLimitMs: 60_000 } });
    try {
      return { direct: await runRecords('Neo4j', stores.of(DEFAULT_TENANT), SHIPMENTS) };
    } finally {
      await stores.close();
    }
  }
  const folder = makeBenchFolder();
  const stores = createSqliteRecordStores({ folder });
  try {
    const direct = await runRecords('SQLite', stores.of(DEFAULT_TENANT), SHIPMENTS);
    return { direct, imported: await benchImport(SHIPMENTS) };
  } finally {
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function printRecords({ direct, imported }: RecordsBench): void {
  const { store, shipments, fill, lists, traces } = direct;
  console.log(`\n${store}, ${shipments} shipments, filled with ${fill.toFixed(0)} records/s\n`);
  console.log('| | p50 ms | p95 ms | found |\n| --- | ---: | ---: | ---: |');
  for (const { name, p50, p95, found } of [...lists, ...traces]) {
    console.log(`| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${found.toFixed(0)} |`);
  }
  if (imported === undefined) return;
  const { rows, rate, p50, p95 } = imported;
  console.log(`\nImport of ${rows} rows: ${rate.toFixed(0)} records/s`);
  console.log(`Lists over HTTP: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
}
