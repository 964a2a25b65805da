import { MAX_LIST_LIMIT } from '../documents';
import type { DocumentStore, DocumentWrite, ListOptions, StoredDocument } from '../documents';
import { checkKey } from '../keys';
import type { PreparedWrite } from '../prepared-writes';
import { documentName, prepareWrites } from '../prepared-writes';
import type { Row, Statements } from './connection';
import type { Neo4jDatabase } from './database';
import { keyFromText, keyToText } from './key-text';

/** A document as the statements name it: with the key as the database has it. */
interface Reference {
  readonly collection: string;
  readonly key: string;
}

/**
 * Takes the write locks of documents. Those that are not there are made, without a state, so that nobody else can make
 * them meanwhile; the transaction gives them a state, deletes them or is taken back. In the order given, which is the
 * same in every transaction, so that two of them rarely wait for each other in a circle.
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
 * Neo4j reads what is committed at that moment, property by property, while a commit is still being applied. So version
 * and value are one property, and a document that is read by itself needs no lock. `getMany` takes the documents' locks as
 * writes do: what it returns was applied whole, and with it everything else of the same batch. A list takes none; what
 * guards it is read by `getMany` before and after.
 *
 * Every commit is on the server's disk when it returns, so `process` durability is `full` here.
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
      const [, found] = await Promise.all([
        statements.run(LOCK, { references }),
        statements.run(READ, { references }),
      ]);
      // Takes back the nodes that were made to lock what is not there.
      return { commit: false, value: found };
    });
    return byKey(rows);
  }

  async list<T>(collection: string, options: ListOptions = {}): Promise<StoredDocument<T>[]> {
    const after = keyToText(options.after ?? '');
    const limit = wholeWithin(options.limit ?? MAX_LIST_LIMIT, MAX_LIST_LIMIT);
    return (await this.#database.read(LIST, { collection, after, limit })).flatMap(toDocuments<T>);
  }

  async write(writes: readonly DocumentWrite[]): Promise<boolean> {
    const prepared = prepareWrites(writes);
    return this.#database.transact(async (statements) => {
      const versions = await lockedVersions(statements, prepared);
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
      const atMost = wholeWithin(limit, Number.MAX_SAFE_INTEGER);
      const found = (await statements.run(FIND_EXPIRED, { now, limit: atMost })) as unknown as Reference[];
      const references = inOrder(found);
      const [, rows] = await Promise.all([
        statements.run(LOCK_PRESENT, { references }),
        // One that got another time since it was found is kept.
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

/** The versions of documents that stay as they are until the transaction ends; none for one that is not there. */
async function lockedVersions(
  statements: Statements,
  writes: readonly PreparedWrite[],
): Promise<Map<string, number>> {
  const references = inOrder(writes.map(referenceTo));
  const [, rows] = await Promise.all([
    statements.run(LOCK, { references }),
    statements.run(VERSIONS, { references }),
  ]);
  return new Map(
    rows.map(({ collection, key, version }) => [
      documentName(collection as string, keyFromText(key as string)),
      Number(version ?? 0),
    ]),
  );
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

/** The order in which every transaction takes its locks. */
function inOrder(references: readonly Reference[]): Reference[] {
  const name = ({ collection, key }: Reference): string => documentName(collection, key);
  return [...references].sort((left, right) => (name(left) < name(right) ? -1 : 1));
}

function byKey<T>(rows: readonly Row[]): Map<string, StoredDocument<T>> {
  return new Map(rows.flatMap(toDocuments<T>).map((document) => [document.key, document]));
}

/** The document of a row; none for a node that a transaction made to lock it, or that is being made. */
function toDocuments<T>({ key, state }: Row): StoredDocument<T>[] {
  if (state === null) return [];
  const [version, value] = state as [string, string];
  return [{ key: keyFromText(key as string), value: JSON.parse(value) as T, version: Number(version) }];
}

function wholeWithin(limit: number, most: number): number {
  return Math.max(0, Math.min(Math.floor(limit), most));
}
