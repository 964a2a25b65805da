import { HoldfastError } from '../../base/errors';
import type { SearchHit, VectorQuery, MemoryFilters } from '../memory/search';
import type { VectorEntry, VectorIndex } from '../memory/vector-index';
import { eachAtOnce } from '../../base/async/each-at-once';
import { type ClientSettings, createPineconeClient } from './client';
import { createIndexFinder } from './find-index';
import { createIndexRequests } from './index-requests';
import { toUpsertBatches, type MemoryRecord } from './records';

export interface PineconeIndexOptions {
  readonly apiKey: string;
  /**
   * The name of the index. It is created if it does not exist: serverless, with the cosine metric. Vectors of another length
   * are stored in an index with this name followed by their number of dimensions.
   */
  readonly indexName: string;
  /** The region where an index is created. Its cloud may follow it. */
  readonly environment: string;
  /** The dimensions of new vectors; a ping checks their index. */
  readonly dimensions: number;
  /** Returns the dimensions of the vectors of a space; undefined for a space that is not in use any more. */
  readonly dimensionsOf: (spaceId: number) => Promise<number | undefined>;
  /** The time limit of one request with all its attempts, and of finding the index, milliseconds. */
  readonly timeoutMs: number;
  /**
   * Returns the namespace of a user's vectors of a space. Everyone with access to the index can read its names, so this is a
   * keyed hash and not the user's name.
   */
  readonly namespaceOf: (spaceId: number, userId: string) => string;
  /** The address of the control plane, for a server other than Pinecone's own. */
  readonly controllerHostUrl?: string | undefined;
  readonly retryDelayMs?: ClientSettings['retryDelayMs'];
}

/** https://docs.pinecone.io/reference/api/database-limits */
const MAX_TOP_K = 10_000;
const MAX_DELETED_IDS = 1_000;
/** Ids are sent in the URL of a request, which may be only some thousand characters long. */
const MAX_FETCHED_IDS = 100;
/** The response of a fetch includes the vectors: at most this many numbers. */
const MAX_FETCHED_VALUES = 150_000;
const MAX_CONCURRENT_REQUESTS = 4;

interface Put {
  readonly namespace: string;
  readonly records: MemoryRecord[];
}

const INDEX_NAME = /^[a-z0-9]([a-z0-9-]{0,43}[a-z0-9])?$/;
const KEY = /^[\x21-\x7e]+$/;

/**
 * Vectors of semantic memories in Pinecone. Vectors of one length are in one index, which the first call looks up and creates
 * if it does not exist. A user's vectors of a space are one namespace of that index. Methods throw the port's errors, and
 * `CONFIGURATION` if an index of that name has other dimensions or another metric than cosine.
 * @throws HoldfastError `CONFIGURATION` for an invalid key or name
 */
export function createPineconeIndex(options: PineconeIndexOptions): VectorIndex {
  checkOptions(options);
  const { indexName, environment, namespaceOf } = options;
  const client = createPineconeClient({ controllerHostUrl: undefined, ...options });
  const finder = createIndexFinder(client, { name: indexName, environment });
  const requests = createIndexRequests(client, finder);
  const known = new Map<number, number>();

  async function findDimensions(spaceId: number): Promise<number | undefined> {
    const dimensions = known.get(spaceId) ?? (await options.dimensionsOf(spaceId));
    if (dimensions !== undefined) known.set(spaceId, dimensions);
    return dimensions;
  }

  /** Checks lengths before a request, because an index would be created for vectors of a wrong length. */
  async function checkLengths(spaceId: number, vectors: readonly Float32Array[]): Promise<void> {
    const dimensions = (await findDimensions(spaceId)) ?? vectors[0]?.length ?? 0;
    const wrong = vectors.find(({ length }) => length !== dimensions);
    if (wrong === undefined) return;
    const message = `The vectors of the space have ${dimensions} dimensions, but one of them has ${wrong.length}`;
    throw new HoldfastError('CONFIGURATION', message);
  }

  return {
    async upsert(spaceId, entries, signal) {
      signal?.throwIfAborted();
      const [first] = entries;
      if (first === undefined) return;
      await checkLengths(
        spaceId,
        entries.map(({ values }) => values),
      );
      const puts = toPuts(spaceId, entries);
      await eachAtOnce(puts, MAX_CONCURRENT_REQUESTS, (put) =>
        requests.send(first.values.length, (index) => index.upsert(put), signal),
      );
    },

    async remove(spaceId, userId, ids, signal) {
      const namespace = namespaceOf(spaceId, userId);
      const dimensions = await findDimensions(spaceId);
      await eachAtOnce(splitBySize(ids, MAX_DELETED_IDS), MAX_CONCURRENT_REQUESTS, (slice) =>
        requests.remove(dimensions, (index) => index.deleteMany({ ids: slice, namespace }), signal),
      );
    },

    async removeUser(spaceId, userId, signal) {
      const namespace = namespaceOf(spaceId, userId);
      await requests.remove(
        await findDimensions(spaceId),
        (index) => index.deleteNamespace(namespace),
        signal,
      );
    },

    async visible(spaceId, userId, revisions, signal) {
      const visible = new Set<string>();
      const dimensions = await findDimensions(spaceId);
      // No search reads a space that is not in use any more.
      if (dimensions === undefined) return visible;
      const namespace = namespaceOf(spaceId, userId);
      const groups = splitBySize(Object.keys(revisions), maxFetchedIds(dimensions));
      await eachAtOnce(groups, MAX_CONCURRENT_REQUESTS, async (ids) => {
        const { records } = await requests.send(
          dimensions,
          (index) => index.fetch({ ids, namespace }),
          signal,
        );
        for (const id of ids) {
          const revision = records[id]?.metadata?.revision;
          if (revision !== undefined && revision >= (revisions[id] ?? Infinity)) visible.add(id);
        }
      });
      return visible;
    },

    async search(query, signal) {
      if (findsNothing(query)) return [];
      const { spaceId, userId, vector, limit, filters = {} } = query;
      await checkLengths(spaceId, [vector]);
      const filter = toFilter(filters);
      const { matches } = await requests.send(
        vector.length,
        (index) =>
          index.query({
            namespace: namespaceOf(spaceId, userId),
            vector: Array.from(vector),
            topK: Math.min(limit, MAX_TOP_K),
            filter,
          }),
        signal,
      );
      return matches.map(({ id, score = 0 }) => ({ id, score: clamp(score) })).sort(nearestFirst);
    },

    async ping(signal) {
      await requests.send(options.dimensions, (index) => index.listNamespaces({ limit: 1 }), signal);
    },

    close: () => client.close(),
  };

  function* toPuts(spaceId: number, entries: readonly VectorEntry[]): Generator<Put> {
    const groups = new Map<string, VectorEntry[]>();
    for (const entry of entries) {
      const namespace = namespaceOf(spaceId, entry.userId);
      const group = groups.get(namespace);
      if (group === undefined) groups.set(namespace, [entry]);
      else group.push(entry);
    }
    for (const [namespace, group] of groups) {
      for (const records of toUpsertBatches(group)) yield { namespace, records };
    }
  }
}

function checkOptions({ apiKey, indexName }: PineconeIndexOptions): void {
  const details = { service: 'vectordb' };
  if (!KEY.test(apiKey)) {
    throw new HoldfastError('CONFIGURATION', 'The Pinecone API key contains invalid characters', {
      details,
    });
  }
  if (!INDEX_NAME.test(indexName)) {
    throw new HoldfastError(
      'CONFIGURATION',
      `"${indexName}" is not a valid name for a Pinecone index: use at most 45 lower-case letters, digits and "-"`,
      { details },
    );
  }
}

/** Whether a search cannot have results. The index has only semantic memories, which do not belong to a session. */
function findsNothing({ kind, limit, filters }: VectorQuery): boolean {
  return (
    kind !== 'semantic' || limit < 1 || filters?.sessionId !== undefined || filters?.anyLabel?.length === 0
  );
}

function maxFetchedIds(dimensions: number): number {
  return Math.max(1, Math.min(MAX_FETCHED_IDS, Math.floor(MAX_FETCHED_VALUES / dimensions)));
}

function splitBySize<T>(items: readonly T[], size: number): T[][] {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, at) => at * size);
  return starts.map((start) => items.slice(start, start + size));
}

/** Limits a cosine to -1 to 1, which rounding may exceed slightly. */
function clamp(score: number): number {
  return Math.max(-1, Math.min(1, score));
}

function nearestFirst(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

type Condition = Readonly<Record<string, number | readonly string[]>>;

/** Conditions on fields of the metadata in Pinecone's filter language. A vector must meet all of them. */
type Filter = Readonly<Record<string, Condition>>;

/** Converts filters to Pinecone's form; undefined if there is no condition. It ignores `sessionId`. */
function toFilter({ from, to, anyLabel, minWeight, maxWeight }: MemoryFilters): Filter | undefined {
  const conditions: Record<string, Condition> = {
    timestamp: range(from, to),
    labels: anyLabel === undefined ? {} : { $in: anyLabel },
    weight: range(minWeight, maxWeight),
  };
  const given = Object.entries(conditions).filter(([, condition]) => Object.keys(condition).length > 0);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function range(min: number | undefined, max: number | undefined): Condition {
  return { ...(min === undefined ? {} : { $gte: min }), ...(max === undefined ? {} : { $lte: max }) };
}
