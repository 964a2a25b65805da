import type { MemoryFilters } from '../../../../src/stores/memory/search';
import { openDatabase, type SqliteDatabase } from '../../../../src/stores/sqlite/database';
import { keyToBytes } from '../../../../src/stores/sqlite/key-bytes';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { vectorFromBytes, vectorToBytes } from '../../../../src/stores/sqlite/memory/rows';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../../../src/stores/sqlite/memory/schema';
import { signCode } from '../../../../src/stores/sqlite/memory/sign-code';
import { migrate } from '../../../../src/stores/sqlite/migrate';
import { TIME, atAngle } from '../../../contract/support/memories';
import { eraseAll } from '../../../contract/memory-graph-erasure';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

const USERS = ['ann', 'bob', 'carol'];
const MEMORIES = 90;
/** The number of slots of a full chunk in this file, so that users have several chunks. */
const CHUNK_SLOTS = 8;
const [CURRENT, NEXT] = [1, 2];
const KINDS = ['episodic', 'semantic'] as const;

interface Old {
  readonly key: number;
  readonly owner: number;
  readonly kind: 0 | 1;
  readonly session: number | null;
  readonly timestamp: number;
  readonly weight: number;
  readonly label: string;
}

/** Memories of alternating users; every second one is semantic and has no session. */
const OLD = Array.from({ length: MEMORIES }, (_, index): Old => {
  const owner = 1 + (index % USERS.length);
  const kind = Math.floor(index / USERS.length) % 2 === 0 ? 0 : 1;
  return {
    key: index + 1,
    owner,
    kind,
    session: kind === 0 ? owner : null,
    timestamp: TIME + index,
    weight: (index % 5) / 4,
    label: `label ${index % 4}`,
  };
});
const previousOf = ({ key, session }: Pick<Old, 'key' | 'session'>): number | null =>
  OLD.findLast((old) => old.key < key && session !== null && old.session === session)?.key ?? null;
const isReleased = ({ key, kind }: Old): boolean => kind === 1 && key % 7 === 0;
const angleOf = (space: number, { key }: Old): number => (space === CURRENT ? key * 2 : 180 - key);

/** Makes a file with the schema before the migration and memories of three users in two vector spaces. */
function writeOldFile(path: string): void {
  const database = openDatabase(path, { busyTimeoutMs: 0 });
  prepareConnection(database);
  migrate(database, MEMORY_MIGRATIONS.slice(0, 1));
  database.transaction(() => {
    USERS.forEach((user, index) => {
      const counted = OLD.filter(({ owner }) => owner === index + 1);
      database
        .prepare('INSERT INTO owners (user, episodic, semantic) VALUES (?, ?, ?)')
        .run(keyToBytes(user), ...KINDS.map((_, kind) => counted.filter((old) => old.kind === kind).length));
      database
        .prepare('INSERT INTO sessions (owner, name, tail) VALUES (?, ?, NULL)')
        .run(index + 1, keyToBytes('s'));
    });
    for (const old of OLD) insertMemory(database, old);
    database.exec('UPDATE sessions SET tail = (SELECT max(key) FROM memories WHERE session = sessions.key)');
    for (const [space, role] of [
      [CURRENT, 'current'],
      [NEXT, 'next'],
    ] as const) {
      database
        .prepare('INSERT INTO spaces (model, dimensions, role, vectors) VALUES (?, 8, ?, ?)')
        .run(role, role, MEMORIES);
      insertVectors(database, space);
    }
  })();
  database.close();
}

function insertMemory(database: SqliteDatabase, { label, ...old }: Old): void {
  database
    .prepare(
      `INSERT INTO memories (key, id, owner, kind, session, previous, timestamp, weight, text, body)
         VALUES (@key, @id, @owner, @kind, @session, @previous, @timestamp, @weight, 'text', '{}')`,
    )
    .run({ ...old, id: `id${old.key}`, previous: previousOf(old) });
  database
    .prepare('INSERT INTO labels (owner, kind, label, memory, position) VALUES (?, ?, ?, ?, 0)')
    .run(old.owner, old.kind, keyToBytes(label), old.key);
}

function insertVectors(database: SqliteDatabase, space: number): void {
  const insert = database.prepare(
    'INSERT INTO vectors (space, memory, kind, chunk, value) VALUES (?, ?, ?, ?, ?)',
  );
  for (const owner of [1, 2, 3]) {
    for (const kind of [0, 1]) {
      const held = OLD.filter((old) => old.owner === owner && old.kind === kind && !isReleased(old));
      for (let first = 0; first < held.length; first += CHUNK_SLOTS) {
        const some = held.slice(first, first + CHUNK_SLOTS);
        const chunk = insertChunk(database, { space, owner, kind, some });
        for (const old of some) {
          insert.run(space, old.key, kind, chunk, vectorToBytes(atAngle(angleOf(space, old))));
        }
      }
    }
  }
  for (const { key, kind } of OLD.filter(isReleased)) insert.run(space, key, kind, null, null);
}

/** A slot is four float64 and the code; a chunk has room for more slots than it uses. */
function insertChunk(
  database: SqliteDatabase,
  { space, owner, kind, some }: { space: number; owner: number; kind: number; some: readonly Old[] },
): number | bigint {
  const slots = some.map((old) => {
    const fields = Float64Array.of(old.key, old.session ?? 0, old.timestamp, old.weight);
    return Buffer.concat([Buffer.from(fields.buffer), signCode(atAngle(angleOf(space, old)))]);
  });
  const bytes = Buffer.alloc(CHUNK_SLOTS * (slots[0] as Buffer).length);
  Buffer.concat(slots).copy(bytes);
  return database
    .prepare(
      'INSERT INTO code_chunks (space, owner, kind, used, code_bytes, slots) VALUES (?, ?, ?, ?, 32, ?)',
    )
    .run(space, owner, kind, some.length, bytes).lastInsertRowid;
}

describe('a memory file whose codes stand in chunks', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = folder.file('memory.db');
    writeOldFile(path);
  });
  afterEach(() => folder.remove());

  it('has a row for the code of each vector that was not released when it is opened, and no chunks', async () => {
    const graph = createSqliteMemoryGraph({ path });
    await graph.ping();
    await graph.close();
    const database = openDatabase(path, { busyTimeoutMs: 0 });
    const rows = database
      .prepare<[], Record<string, number | null> & { code: Buffer; value: Buffer }>(
        `SELECT codes.*, value FROM codes JOIN vectors ON vectors.key = vector
           AND vectors.memory = codes.memory AND vectors.space = codes.space ORDER BY codes.space, codes.memory`,
      )
      .all();
    const held = OLD.filter((old) => !isReleased(old));
    expect(
      rows.map(({ space, memory, owner, kind, session, timestamp, weight }) => [
        space,
        { key: memory, owner, kind, session, timestamp, weight },
      ]),
    ).toEqual([CURRENT, NEXT].flatMap((space) => held.map(({ label: _label, ...old }) => [space, old])));
    for (const { code, value } of rows) expect(code).toEqual(signCode(vectorFromBytes(value)));
    expect(database.prepare('SELECT count(*) FROM codes').pluck().get()).toBe(rows.length);
    const schema = database.prepare('SELECT sql FROM sqlite_schema').pluck().all().join(' ');
    expect(schema).not.toContain('chunk');
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    database.close();
  });

  it('is searched with every filter', async () => {
    const graph = createSqliteMemoryGraph({ path });
    const filters: [MemoryFilters, (old: Old) => boolean][] = [
      [{}, () => true],
      [{ sessionId: 's' }, ({ session }) => session !== null],
      [{ sessionId: 'none' }, () => false],
      [{ from: TIME + 30, to: TIME + 60 }, ({ key }) => key > 30 && key <= 61],
      [{ minWeight: 0.5, maxWeight: 0.75 }, ({ weight }) => weight === 0.5 || weight === 0.75],
      [{ anyLabel: ['label 1', 'label 3'] }, ({ label }) => label === 'label 1' || label === 'label 3'],
    ];
    for (const [index, userId] of USERS.entries()) {
      for (const [kindNumber, kind] of KINDS.entries()) {
        for (const [filter, passes] of filters) {
          const scope = { userId, kind, filters: filter };
          const hits = await graph.searchVectors({
            ...scope,
            spaceId: CURRENT,
            vector: atAngle(0),
            limit: 50,
          });
          const expected = OLD.filter(
            (old) => old.owner === index + 1 && old.kind === kindNumber && !isReleased(old) && passes(old),
          );
          // The angle increases with the key.
          expect(hits.map(({ id }) => id)).toEqual(
            expected.sort((a, b) => angleOf(CURRENT, a) - angleOf(CURRENT, b)).map(({ key }) => `id${key}`),
          );
        }
      }
    }
    await graph.close();
  });

  it('lets memories be changed, deleted, released, erased and moved to the other space', async () => {
    const graph = createSqliteMemoryGraph({ path });
    const near = async (filters: MemoryFilters, spaceId = CURRENT): Promise<string[]> => {
      const query = { userId: 'ann', kind: 'semantic', spaceId, vector: atAngle(8), limit: 50 } as const;
      return (await graph.searchVectors({ ...query, filters })).map(({ id }) => id);
    };
    expect(await near({})).toEqual(expect.arrayContaining(['id4', 'id10', 'id16']));
    await graph.update('id4', { weight: 0.123 });
    expect(await near({ maxWeight: 0.123, minWeight: 0.123 })).toEqual(['id4']);
    await graph.delete('id10');
    const shown = { id: 'id16', revision: 1, spaceId: CURRENT };
    expect(await graph.releaseVectors([shown])).toBe(1);
    expect(await graph.releaseVectors([shown])).toBe(0);
    const left = await near({});
    expect(left).not.toContain('id10');
    expect(left).not.toContain('id16');
    await graph.beginErasure('bob');
    expect(await eraseAll(graph, 'bob', 60)).toMatchObject({ episodic: 15, semantic: 15 });
    await graph.endErasure('bob');
    expect(await graph.switchVectorSpace(NEXT)).toBe(true);
    expect(await near({ maxWeight: 0.123, minWeight: 0.123 }, NEXT)).toEqual(['id4']);
    expect(await near({}, NEXT)).toContain('id16');
    await graph.close();
  });
});
