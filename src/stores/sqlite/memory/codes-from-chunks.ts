import type { SqliteDatabase } from '../database';

/**
 * The coarse pass of a search reads the table `codes`. It has the code (`sign-code.ts`) of each vector that was not released, in
 * the order of users, with the columns that filters use. `vector` is the key of the row that has the full vector. The columns are
 * not foreign keys, because SQLite would then search all codes at the deletion of each memory and each vector.
 */
const CODES = `
  CREATE TABLE codes (
    space INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    vector INTEGER NOT NULL,
    session INTEGER,
    timestamp INTEGER NOT NULL,
    weight REAL NOT NULL,
    code BLOB NOT NULL,
    PRIMARY KEY (space, owner, kind, memory)
  ) STRICT, WITHOUT ROWID;
`;

/** One statement reads chunk after chunk and writes row by row, so that the memory it needs does not grow with the file. */
const FILL = `
  INSERT INTO codes (space, owner, kind, memory, vector, session, timestamp, weight, code)
  SELECT chunks.space, chunks.owner, chunks.kind, memories.key, vectors.key, memories.session, timestamp, weight, code
  FROM code_chunks AS chunks
    CROSS JOIN chunk_slots (chunks.slots, chunks.used, chunks.code_bytes) AS slots
    CROSS JOIN memories ON memories.key = slots.memory
    CROSS JOIN vectors ON vectors.memory = memories.key AND vectors.space = chunks.space;
`;

/** A slot of a chunk has four little-endian float64, of which the first is the key of the memory, followed by the code. */
const CODE_OFFSET = 4 * 8;

/**
 * Moves the codes from chunks, which had many codes of one user in one value, to a table with a row for each code. Drops the
 * column of `vectors` that named the chunk. A file of the first builds of 21 November has no chunks: its first migration made
 * today's table, with the same codes.
 */
export function moveCodesFromChunks(database: SqliteDatabase): void {
  const { chunks } = database
    .prepare("SELECT count(*) AS chunks FROM sqlite_schema WHERE name = 'code_chunks'")
    .get() as { chunks: number };
  if (chunks === 0) return;
  database.table('chunk_slots', {
    columns: ['memory', 'code'],
    parameters: ['bytes', 'used', 'code_bytes'],
    rows: readSlots as (...parameters: unknown[]) => Generator<[number, Buffer]>,
  });
  database.exec(CODES + FILL);
  database.exec('DROP TABLE code_chunks; ALTER TABLE vectors DROP COLUMN chunk;');
}

function* readSlots(bytes: Buffer, used: number, codeBytes: number): Generator<[number, Buffer]> {
  const slotBytes = CODE_OFFSET + codeBytes;
  for (let at = 0; at < used * slotBytes; at += slotBytes) {
    yield [bytes.readDoubleLE(at), bytes.subarray(at + CODE_OFFSET, at + slotBytes)];
  }
}
