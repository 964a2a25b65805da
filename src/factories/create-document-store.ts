import type { DocumentStore } from '../stores/documents';
import type { Neo4jSettings } from '../stores/neo4j/settings';
import { Neo4jDatabase } from '../stores/neo4j/database';
import { Neo4jDocuments } from '../stores/neo4j/neo4j-documents';
import { SqliteDocuments } from '../stores/sqlite/sqlite-documents';

/** A SQLite file of this machine. */
export interface EmbeddedStoreSettings {
  /** The SQLite file. It is created with its folder if it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another process's lock before it throws, milliseconds. Default 2,000. */
  readonly busyTimeoutMs?: number;
}

/** A Neo4j server that several machines may share. */
export interface Neo4jStoreSettings {
  readonly neo4j: Neo4jSettings;
}

export type DocumentStoreSettings = EmbeddedStoreSettings | Neo4jStoreSettings;

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;

/**
 * Creates the document store. It opens nothing yet, so this does not throw. A process that checks the store when it starts calls
 * `ping`, which throws `STORE_UNAVAILABLE` if the store cannot be used and `CONFIGURATION` if it refuses a setting or a
 * newer holdfast wrote it.
 */
export function createDocumentStore(settings: DocumentStoreSettings): DocumentStore {
  if ('neo4j' in settings) return new Neo4jDocuments(new Neo4jDatabase(settings.neo4j));
  return new SqliteDocuments({
    path: settings.path,
    busyTimeoutMs: settings.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS,
  });
}
