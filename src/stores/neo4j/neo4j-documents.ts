import {
  type DocumentStore,
  type DocumentWrite,
  type ListOptions,
  MAX_LIST_LIMIT,
  type StoredDocument,
} from '../documents';
import { checkKey } from '../keys';
import { documentName, type PreparedWrite, prepareWrites } from '../prepared-writes';
import type { Row, Statements } from './connection';
import type { Neo4jDatabase } from './database';
import { OvertakenError } from './errors';
import { keyFromText, keyToText } from './key-text';

/** Names a document in a statement: `key` is in the form that the database stores (`keyToText`). */
interface Reference {
  readonly collection: string;
  readonly key: string;
}

/**
 * Takes the write locks of documents. If a document does not exist, the statement creates its node without a state, so that
 * no other transaction can create it meanwhile; then the transaction sets the state, deletes the node or is rolled back. All
 * transactions take their locks in the same order, so that deadlocks are rare. `checkLocked` has to follow.
 */
const LOCK = `UNWIND $references AS reference
  MERGE (document:HoldfastDocument {collection: reference.collection, key: reference.key})
  SET document.lock = true`;

const VERSIONS = `UNWIND $references AS reference
  MATCH (document:HoldfastDocument {collection: reference.collection, key: reference.key})
  RETURN document.collection AS collection, document.key AS key, document.state[0] AS version`;

const READ = `UNWIND $references AS reference
  MATCH (document:HoldfastDocument {collection: reference.collection, key: reference.key})
  RETURN document.key AS key, document.state AS state`;

const LIST = `MATCH (document:HoldfastDocument)
  WHERE document.collection = $collection AND document.key > $after AND document.state IS NOT NULL
  RETURN document.key AS key, document.state AS state
  ORDER BY document.collection, document.key LIMIT toInteger($limit)`;

const PUT = `UNWIND $puts AS put
  MATCH (document:HoldfastDocument {collection: put.collection, key: put.key})
  SET document.state = put.state, document.expiresAt = put.expiresAt`;

const DELETE = `UNWIND $references AS reference
  MATCH (document:HoldfastDocument {collection: reference.collection, key: reference.key})
  DELETE document`;

const FIND_EXPIRED = `MATCH (document:HoldfastDocument) WHERE document.expiresAt <= $now
  RETURN document.collection AS collection, document.key AS key
  ORDER BY document.expiresAt LIMIT toInteger($limit)`;

const LOCK_PRESENT = `UNWIND $references AS reference
  MATCH (document:HoldfastDocument {collection: reference.collection, key: reference.key})
  SET document.lock = true`;

const DELETE_EXPIRED = `UNWIND $references AS reference
  MATCH (document:HoldfastDocument {collection: reference.collection, key: reference.key})
  WHERE document.expiresAt <= $now
  DELETE document
  RETURN count(*) AS deleted`;

/**
 * Documents as nodes of a Neo4j database that any number of processes and machines share.
 *
 * While Neo4j applies a commit, a reader may see some of its properties and not the others. So version and value are stored in
 * one property, and reading a single document needs no lock. `getMany` takes the documents' locks, as writes do, so that it
 * returns either all or nothing of each batch of writes. A list takes no locks; a caller that needs a consistent list reads the
 * document that guards it by `getMany` before and after.
 *
 * Every commit is on the server's disk when it returns, so the durability `process` is the same as `full` here.
 */
export class Neo4jDocuments implements DocumentStore {
  readonly #database: Neo4jDatabase;

  constructor(database: Neo4jDatabase) {
    this.#database = database;
  }

  async get<T>(collection: string, key: string): Promise<StoredDocument<T> | undefined> {
    return (await this.getEach<T>(collection, [key])).get(key);
  }

  async getEach<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>> {
    keys.forEach(checkKey);
    if (keys.length === 0) return new Map();
    const references = [...new Set(keys)].map((key) => referenceTo({ collection, key }));
    return byKey(await this.#database.read(READ, { references }));
  }

  async getMany<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>> {
    keys.forEach(checkKey);
    const references = inOrder([...new Set(keys)].map((key) => referenceTo({ collection, key })));
    const rows = await this.#database.transact(async (statements) => {
      const [, documents] = await Promise.all([
        statements.run(LOCK, { references }),
        statements.run(READ, { references }),
      ]);
      checkLocked(documents, references);
      // The rollback removes the nodes that were created to lock documents that do not exist.
      return { commit: false, value: documents };
    });
    return byKey(rows);
  }

  async list<T>(collection: string, options: ListOptions = {}): Promise<StoredDocument<T>[]> {
    const after = keyToText(options.after ?? '');
    const limit = toWholeNumber(options.limit ?? MAX_LIST_LIMIT, MAX_LIST_LIMIT);
    return (await this.#database.read(LIST, { collection, after, limit })).flatMap(toDocuments<T>);
  }

  async write(writes: readonly DocumentWrite[]): Promise<boolean> {
    const prepared = prepareWrites(writes);
    return this.#database.transact(async (statements) => {
      const versions = await lockAndReadVersions(statements, prepared);
      const version = (write: PreparedWrite): number =>
        versions.get(documentName(write.collection, write.key)) ?? 0;
      const matches = prepared.every(
        (write) => write.ifVersion === undefined || write.ifVersion === version(write),
      );
      if (matches) await apply(statements, prepared, version);
      return { commit: matches, value: matches };
    });
  }

  async removeExpired(now: number, limit: number): Promise<number> {
    return this.#database.transact(async (statements) => {
      const expired = (await statements.run(FIND_EXPIRED, {
        now,
        limit: toWholeNumber(limit, Number.MAX_SAFE_INTEGER),
      })) as unknown as Reference[];
      const references = inOrder(expired);
      const [, rows] = await Promise.all([
        statements.run(LOCK_PRESENT, { references }),
        // The statement keeps a document whose expiry was changed since it was found.
        statements.run(DELETE_EXPIRED, { references, now }),
      ]);
      return { commit: true, value: Number(rows[0]?.['deleted']) };
    });
  }

  async ping(): Promise<void> {
    await this.#database.read('RETURN 1');
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/**
 * Locks documents until the transaction ends.
 * @returns their versions by `documentName`; 0 for those that do not exist
 */
async function lockAndReadVersions(
  statements: Statements,
  writes: readonly PreparedWrite[],
): Promise<Map<string, number>> {
  const references = inOrder(writes.map(referenceTo));
  const [, rows] = await Promise.all([
    statements.run(LOCK, { references }),
    statements.run(VERSIONS, { references }),
  ]);
  checkLocked(rows, references);
  return new Map(
    rows.map(({ collection, key, version }) => [
      documentName(collection as string, keyFromText(key as string)),
      Number(version ?? 0),
    ]),
  );
}

/**
 * Throws `OvertakenError` if `LOCK` did not lock every document, by the nodes that the transaction sees after it. While a
 * `MERGE` waits for the lock of the node that it found, the other transaction may delete that node; Neo4j's `SET` then does
 * nothing and reports no error. Without this check the put of such a document would be lost.
 */
function checkLocked(rows: readonly Row[], references: readonly Reference[]): void {
  if (rows.length < references.length) throw new OvertakenError();
}

async function apply(
  statements: Statements,
  writes: readonly PreparedWrite[],
  version: (write: PreparedWrite) => number,
): Promise<void> {
  const puts = writes.flatMap((write) => {
    const { value, expiresAt } = write;
    if (value === undefined) return [];
    return [{ ...referenceTo(write), state: [String(version(write) + 1), value], expiresAt }];
  });
  const references = writes.filter(({ value }) => value === undefined).map(referenceTo);
  await Promise.all([statements.run(PUT, { puts }), statements.run(DELETE, { references })]);
}

function referenceTo({ collection, key }: Reference): Reference {
  return { collection, key: keyToText(key) };
}

/** Sorts references into the order in which every transaction takes its locks. */
function inOrder(references: readonly Reference[]): Reference[] {
  const name = ({ collection, key }: Reference): string => documentName(collection, key);
  return [...references].sort((left, right) => (name(left) < name(right) ? -1 : 1));
}

function byKey<T>(rows: readonly Row[]): Map<string, StoredDocument<T>> {
  return new Map(rows.flatMap(toDocuments<T>).map((document) => [document.key, document]));
}

/** Returns the document of a row, or nothing for a node without a state, which a transaction is using as a lock. */
function toDocuments<T>({ key, state }: Row): StoredDocument<T>[] {
  if (state === null) return [];
  const [version, value] = state as [string, string];
  return [{ key: keyFromText(key as string), value: JSON.parse(value) as T, version: Number(version) }];
}

function toWholeNumber(limit: number, max: number): number {
  return Math.max(0, Math.min(Math.floor(limit), max));
}
