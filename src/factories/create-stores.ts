import { join } from 'node:path';
import type { DocumentStore } from '../stores/documents';
import type { Neo4jSettings } from '../stores/neo4j/settings';
import { Neo4jDatabase } from '../stores/neo4j/database';
import { Neo4jDocuments } from '../stores/neo4j/neo4j-documents';
import { SqliteDocuments } from '../stores/sqlite/sqlite-documents';
import type { BlobStore } from '../stores/blobs/blob-store';
import { FolderBlobs } from '../stores/blobs/folder-blobs';
import { LayeredBlobs } from '../stores/blobs/layered-blobs';
import { S3Blobs } from '../stores/blobs/s3/s3-blobs';
import type { S3Settings } from '../stores/blobs/s3/settings';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import { createNeo4jMemoryGraph } from '../stores/neo4j/memory';
import { createSqliteMemoryGraph } from '../stores/sqlite/memory';

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

interface BlobStoreSettings {
  readonly DATA_DIR: string;
  /** The bucket that several machines share. Undefined: blobs are files in DATA_DIR. */
  readonly s3: S3Settings | undefined;
}

/**
 * Creates the store of large values. It opens nothing yet. With a bucket, values that are still in DATA_DIR can be read until they
 * expire.
 */
export function createBlobStore({ DATA_DIR, s3 }: BlobStoreSettings): BlobStore {
  const folder = new FolderBlobs(DATA_DIR);
  return s3 === undefined ? folder : new LayeredBlobs(new S3Blobs(s3), folder);
}

export interface MemoryGraphSettings {
  /** The folder of the embedded store's file, `memory.db`. It is created if it does not exist. */
  readonly DATA_DIR: string;
  /** The Neo4j server of the data. Undefined: the store is embedded. */
  readonly neo4j: Neo4jSettings | undefined;
  /** Whether vectors of semantic memories are searched in an index outside of the graph. Default false. */
  readonly vectorsElsewhere?: boolean;
}

/**
 * Creates the memory graph. It opens nothing yet. A process that checks the store when it starts calls `ping`, which throws
 * `STORE_UNAVAILABLE` if the store cannot be used and `CONFIGURATION` if it refuses a setting or a newer holdfast wrote it.
 * Throws for an embedded store if the project has not been compiled.
 */
export function createMemoryGraph({
  DATA_DIR,
  neo4j,
  vectorsElsewhere = false,
}: MemoryGraphSettings): MemoryGraph {
  if (neo4j !== undefined) return createNeo4jMemoryGraph({ neo4j, vectorsElsewhere });
  return createSqliteMemoryGraph({ path: join(DATA_DIR, 'memory.db'), vectorsElsewhere });
}
