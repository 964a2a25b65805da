import { PARTS_VERSION } from '../../../base/text/search-parts';
import type { SqliteDatabase } from '../database';

/** What the full-text index has of a memory: its text, and its parts if it has any. */
const indexed = (row: 'new' | 'old'): string =>
  `${row}.text || coalesce((SELECT ' ' || parts FROM memory_parts WHERE memory = ${row}.key), '')`;
const ADD = 'INSERT INTO memory_text (rowid, scope, text)';
const REMOVE = 'INSERT INTO memory_text (memory_text, rowid, scope, text)';
const REMOVE_OLD = `${REMOVE} VALUES ('delete', old.key, old.owner * 2 + old.kind, ${indexed('old')});
    DELETE FROM memory_parts WHERE memory = old.key;`;
/** Indexes a memory again, if it exists already. @param before its former parts */
const replace = (before: string): string => `
    ${REMOVE} SELECT 'delete', key, owner * 2 + kind, text || ${before} FROM memories WHERE key = new.memory;
    ${ADD} SELECT key, owner * 2 + kind, text || ' ' || new.parts FROM memories WHERE key = new.memory;`;

/**
 * `memory_parts` has the parts of the words of a text as they were indexed, with a space between them: SQLite removes from the
 * index what a statement names, even if the dictionaries give other parts now. Most texts have none. A process of an earlier build
 * that changes a text leaves it without parts. `word_index` has the version by which all memories were indexed.
 */
const PARTS = `
  CREATE TABLE memory_parts (memory INTEGER PRIMARY KEY, parts TEXT NOT NULL) STRICT;
  CREATE TABLE word_index (version TEXT NOT NULL) STRICT;

  DROP TRIGGER text_inserted;
  DROP TRIGGER text_deleted;
  DROP TRIGGER text_updated;
  CREATE TRIGGER text_inserted AFTER INSERT ON memories BEGIN
    ${ADD} VALUES (new.key, new.owner * 2 + new.kind, ${indexed('new')});
  END;
  CREATE TRIGGER text_deleted AFTER DELETE ON memories BEGIN
    ${REMOVE_OLD}
  END;
  CREATE TRIGGER text_updated AFTER UPDATE OF text ON memories WHEN new.text <> old.text BEGIN
    ${REMOVE_OLD}
    ${ADD} VALUES (new.key, new.owner * 2 + new.kind, new.text);
  END;
  CREATE TRIGGER parts_inserted AFTER INSERT ON memory_parts BEGIN ${replace("''")}
  END;
  CREATE TRIGGER parts_updated AFTER UPDATE ON memory_parts BEGIN ${replace("' ' || old.parts")}
  END;
`;

/** Adds the parts to the schema. Stored memories are indexed by a run, and a file without any is of this version. */
export function addParts(database: SqliteDatabase): void {
  database.exec(PARTS);
  database
    .prepare('INSERT INTO word_index (version) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM memories)')
    .run(PARTS_VERSION);
}
