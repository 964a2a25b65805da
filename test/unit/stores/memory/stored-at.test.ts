import { toNodes } from '../../../../src/stores/neo4j/memory/rows';
import { openDatabase } from '../../../../src/stores/sqlite/database';
import { keyToBytes } from '../../../../src/stores/sqlite/key-bytes';
import { migrate } from '../../../../src/stores/sqlite/migrate';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../../../src/stores/sqlite/memory/schema';
import { SqliteMemoryGraph } from '../../../../src/stores/sqlite/memory/sqlite-memory-graph';
import { episodic, TIME } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

describe('memories of builds that stored one time', () => {
  const { storedAt: _storedAt, ...old } = episodic({ timestamp: TIME });

  test('were stored at that time, by a file of SQLite', async () => {
    const folder = temporaryFolder();
    const path = folder.file('memories.db');
    const database = openDatabase(path, { busyTimeoutMs: 0 });
    prepareConnection(database);
    migrate(database, MEMORY_MIGRATIONS.slice(0, 2));
    database.prepare('INSERT INTO owners (user, episodic) VALUES (?, 1)').run(keyToBytes(old.userId));
    database.prepare("INSERT INTO sessions (owner, name) VALUES (1, CAST('s' AS BLOB))").run();
    database
      .prepare(
        `INSERT INTO memories (id, owner, kind, session, timestamp, weight, text, body)
           VALUES (?, 1, 0, 1, ?, 0.5, 'a walk in the park', '{}')`,
      )
      .run(old.id, TIME);
    database.close();
    const graph = new SqliteMemoryGraph({ path, busyTimeoutMs: 1_000, vectorsElsewhere: false });
    try {
      expect(await graph.get(old.id)).toMatchObject({ id: old.id, timestamp: TIME, storedAt: TIME });
      expect(await graph.update(old.id, { weight: 1 })).toMatchObject({ timestamp: TIME, storedAt: TIME });
    } finally {
      await graph.close();
      folder.remove();
    }
  });

  test('were stored at that time, by a node of Neo4j', () => {
    const node = { ...old, revision: 1 };
    expect(toNodes({ state: JSON.stringify(node), reads: null })).toEqual([
      { ...node, storedAt: TIME, readCount: 0, readAt: null },
    ]);
  });
});
