import { MemoryStatements } from '../../src/stores/sqlite/memory/memory-statements';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../src/stores/sqlite/memory/schema';
import { SqliteFile } from '../../src/stores/sqlite/sqlite-file';

export interface FillFileOptions {
  readonly path: string;
  readonly memories: number;
  /** The number of memories in a transaction. */
  readonly batch: number;
  /** Inserts a batch, whose memories have numbers from `first` on. */
  readonly insert: (statements: MemoryStatements, first: number) => void;
  /** Whether all is moved from the log into the file at the end, so that its size is that of the memories. */
  readonly emptiesLog?: boolean;
}

/** Fills the file of the embedded store by its statements, with many memories in each transaction. */
export async function fillFile(options: FillFileOptions): Promise<void> {
  const { path, memories, batch, insert, emptiesLog = false } = options;
  const file = new SqliteFile({
    path,
    busyTimeoutMs: 1_000,
    migrations: MEMORY_MIGRATIONS,
    onOpen: prepareConnection,
    prepare: (database) => new MemoryStatements(database, { vectorsElsewhere: false }),
  });
  for (let first = 0; first < memories; first += batch) {
    await file.write(
      (statements, database) => database.transaction(() => insert(statements, first))(),
      'NORMAL',
    );
  }
  if (emptiesLog) await file.write((_, database) => database.pragma('wal_checkpoint(TRUNCATE)'));
  file.close();
}
