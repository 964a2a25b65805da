import * as sqliteVec from 'sqlite-vec';
import type { SqliteDatabase } from '../database';
import type { Migration } from '../migrate';
import { moveCodesFromChunks } from './codes-from-chunks';
import { addParts } from './parts-schema';

/** The page cache has room for the codes of 100,000 vectors, all of which a search reads. */
const CACHE_KIBIBYTES = 32 * 1024;

/** Prepares a connection to the file before its first statement. */
export function prepareConnection(database: SqliteDatabase): void {
  sqliteVec.load(database);
  database.pragma('secure_delete = ON');
  database.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
}

/**
 * The schema of the memories' file, in the order of its migrations. A released migration is never changed, moved or removed.
 *
 * Users, sessions and memories have small integer keys, so that no large value is repeated. Names that people choose (users,
 * sessions, labels) are stored as bytes (`key-bytes.ts`). Kinds are 0 (episodic) and 1 (semantic).
 */
export const MEMORY_MIGRATIONS: readonly Migration[] = [
  {
    name: 'memories',
    up: (database) => {
      database.exec(OWNERS + MEMORIES + TEXT + VECTORS);
    },
  },
  { name: 'codes in rows instead of chunks', up: moveCodesFromChunks },
  {
    name: 'time of storing beside the time of the event',
    // Null: the two are the same, as for all memories of earlier builds. No row is written, however many there are.
    up: (database) => {
      database.exec('ALTER TABLE memories ADD COLUMN stored_at INTEGER');
    },
  },
  { name: 'parts of words', up: addParts },
];

/** A user has a row while they have memories or are being erased (`erasing` has the values of `ERASING` in `owners.ts`). */
const OWNERS = `
  CREATE TABLE owners (
    key INTEGER PRIMARY KEY,
    user BLOB NOT NULL UNIQUE,
    episodic INTEGER NOT NULL DEFAULT 0,
    semantic INTEGER NOT NULL DEFAULT 0,
    erasing INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`;

/**
 * The order of a session is stored in `previous` only. It is unique, so no memory can have two next ones, and no second column
 * can contradict it. `tail` is the last memory of the session, after which the next one is added.
 */
const MEMORIES = `
  CREATE TABLE sessions (
    key INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL REFERENCES owners (key),
    name BLOB NOT NULL,
    tail INTEGER,
    UNIQUE (owner, name)
  ) STRICT;

  CREATE TABLE memories (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner INTEGER NOT NULL REFERENCES owners (key),
    kind INTEGER NOT NULL,
    session INTEGER REFERENCES sessions (key),
    previous INTEGER UNIQUE REFERENCES memories (key),
    timestamp INTEGER NOT NULL,
    weight REAL NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    read_count INTEGER NOT NULL DEFAULT 0,
    read_at INTEGER,
    text TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX memories_by_time ON memories (owner, kind, timestamp, id, weight, session);
  CREATE INDEX memories_by_session ON memories (session, timestamp, id) WHERE session IS NOT NULL;

  CREATE TABLE labels (
    owner INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    label BLOB NOT NULL,
    memory INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (owner, kind, label, memory)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX labels_of_memory ON labels (memory, position, label);

  CREATE TABLE relations (
    source INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
    target INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
    type TEXT NOT NULL,
    PRIMARY KEY (source, target, type)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX relations_by_target ON relations (target);
  CREATE UNIQUE INDEX parents ON relations (source) WHERE type = 'parent';
`;

/**
 * `scope` is one word that names owner and kind, so that a search reads only the entries of one user. The index has no copy of
 * the texts; triggers update it when they change. A later migration replaces the triggers (`parts-schema.ts`).
 */
const TEXT = `
  CREATE VIRTUAL TABLE memory_text USING fts5 (
    scope, text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
  );
  INSERT INTO memory_text (memory_text, rank) VALUES ('secure-delete', 1);

  CREATE TRIGGER text_inserted AFTER INSERT ON memories BEGIN
    INSERT INTO memory_text (rowid, scope, text) VALUES (new.key, new.owner * 2 + new.kind, new.text);
  END;
  CREATE TRIGGER text_deleted AFTER DELETE ON memories BEGIN
    INSERT INTO memory_text (memory_text, rowid, scope, text)
      VALUES ('delete', old.key, old.owner * 2 + old.kind, old.text);
  END;
  CREATE TRIGGER text_updated AFTER UPDATE OF text ON memories WHEN new.text <> old.text BEGIN
    INSERT INTO memory_text (memory_text, rowid, scope, text)
      VALUES ('delete', old.key, old.owner * 2 + old.kind, old.text);
    INSERT INTO memory_text (rowid, scope, text) VALUES (new.key, new.owner * 2 + new.kind, new.text);
  END;
`;

/**
 * `vectors` has the full vectors (little-endian float32; null after a release to an outside index). The next migration replaces
 * `code_chunks` and `vectors.chunk` (`codes-from-chunks.ts`).
 */
const VECTORS = `
  CREATE TABLE spaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('current', 'next', 'dropped')),
    vectors INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX spaces_in_use ON spaces (role) WHERE role <> 'dropped';

  CREATE TABLE vectors (
    key INTEGER PRIMARY KEY,
    space INTEGER NOT NULL REFERENCES spaces (id),
    memory INTEGER NOT NULL REFERENCES memories (key),
    kind INTEGER NOT NULL,
    chunk INTEGER,
    value BLOB,
    UNIQUE (memory, space)
  ) STRICT;
  CREATE INDEX vectors_by_space ON vectors (space);
  CREATE INDEX vectors_held ON vectors (key) WHERE kind = 1 AND value IS NOT NULL;

  CREATE TABLE code_chunks (
    key INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    used INTEGER NOT NULL,
    code_bytes INTEGER NOT NULL,
    slots BLOB NOT NULL
  ) STRICT;
  CREATE INDEX code_chunks_by_owner ON code_chunks (space, owner, kind, used);

  CREATE TABLE dropped_vectors (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    user BLOB NOT NULL,
    space INTEGER NOT NULL,
    UNIQUE (id, space)
  ) STRICT;
`;
