import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Neo4jSettings } from '../../src/stores/neo4j/connection';
import { createNeo4jRecordStore } from '../../src/stores/neo4j/records';
import { createSqliteRecordStore } from '../../src/stores/sqlite/records';
import type { RecordsReport } from './scenario';
import { runRecords } from './scenario';

const SHIPMENTS = 100_000;

/** On the embedded store, or on the Neo4j server of the settings, whose database has to be empty and is left full. */
export async function benchRecords(neo4j: Neo4jSettings | undefined): Promise<RecordsReport> {
  if (neo4j !== undefined) {
    const store = createNeo4jRecordStore({ neo4j: { ...neo4j, operationLimitMs: 60_000 } });
    try {
      return await runRecords('Neo4j', store, SHIPMENTS);
    } finally {
      await store.close();
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const store = createSqliteRecordStore({ path: join(folder, 'records.db') });
  try {
    return await runRecords('SQLite', store, SHIPMENTS);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function printRecords({ store, shipments, fill, lists, traces }: RecordsReport): void {
  console.log(`\n${store}, ${shipments} shipments, filled with ${fill.toFixed(0)} records/s\n`);
  console.log('| | p50 ms | p95 ms | found |\n| --- | ---: | ---: | ---: |');
  for (const { name, p50, p95, found } of [...lists, ...traces]) {
    console.log(`| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${found.toFixed(0)} |`);
  }
}
