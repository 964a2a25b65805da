import { HoldfastError } from '../../base/errors';
import type { SearchHit, VectorQuery } from '../memory/search';
import type { VectorEntry, VectorIndex } from '../memory/vector-index';
import { eachAtOnce } from '../../base/async/each-at-once';
import { type ClientSettings, createPineconeClient } from './client';
import { toFilter } from './filter';
import { createIndexFinder } from './find-index';
import { createIndexRequests } from './index-requests';
import { batchesOf, type MemoryRecord } from './records';

export interface PineconeIndexOptions {
  readonly apiKey: string;
  /**
   * Made where there is none: serverless, by cosine. Vectors of other lengths than this one has go to an index of this name with
   * their number of dimensions behind it.
   */
  readonly indexName: string;
  /** The region where an index is made, with or without its cloud behind it. */
  readonly environment: string;
  /** Of the vectors that are made now: a ping asks for their index. */
  readonly dimensions: number;
  /** Of the vectors of a space; undefined for one that is not in use any more. */
  readonly dimensionsOf: (spaceId: number) => Promise<number | undefined>;
  /** Of one request with all its attempts, and of finding the index, milliseconds. */
  readonly timeoutMs: number;
  /**
   * The namespace that a user's vectors of a space are kept in. Names in Pinecone are seen by whoever may see the
   * index, so this is a keyed hash and no user's name.
   */
  readonly namespaceOf: (spaceId: number, userId: string) => string;
  /** Address of the control plane, for a server that is not Pinecone's own. */
  readonly controllerHostUrl?: string | undefined;
  readonly retryDelayMs?: ClientSettings['retryDelayMs'];
}

/** https://docs.pinecone.io/reference/api/database-limits */
const MAX_TOP_K = 10_000;
const MAX_DELETED_IDS = 1_000;
/** Ids stand in the address of a request, which may be some thousand characters long. */
const MAX_FETCHED_IDS = 100;
/** A fetch brings the vectors along: at most this many numbers in one answer. */
const MAX_FETCHED_VALUES = 150_000;
const REQUESTS_AT_ONCE = 4;

interface Put {
  readonly namespace: string;
  readonly records: MemoryRecord[];
}

const INDEX_NAME = /^[a-z0-9]([a-z0-9-]{0,43}[a-z0-9])?$/;
const KEY = /^[\x21-\x7e]+$/;

/**
 * Vectors of semantic memories in Pinecone: those of one length in one index, which is looked up by the first call and made
 * where it does not exist. A user's vectors of a space are one namespace of it. Beside the port's errors, methods throw
 * `CONFIGURATION` where an index of that name has other dimensions or does not compare by cosine.
 * @throws HoldfastError `CONFIGURATION` for a key or a name that none can be
 */
export function createPineconeIndex(options: PineconeIndexOptions): VectorIndex {
  checkOptions(options);
  const { indexName, environment, namespaceOf } = options;
  const client = createPineconeClient({ controllerHostUrl: undefined, ...options });
  const finder = createIndexFinder(client, { name: indexName, environment });
  const requests = createIndexRequests(client, finder);
  const known = new Map<number, number>();

  async function dimensionsOf(spaceId: number): Promise<number | undefined> {
    const dimensions = known.get(spaceId) ?? (await options.dimensionsOf(spaceId));
    if (dimensions !== undefined) known.set(spaceId, dimensions);
    return dimensions;
  }

  /** An index would be made for them. */
  async function checkLengths(spaceId: number, vectors: readonly Float32Array[]): Promise<void> {
    const dimensions = (await dimensionsOf(spaceId)) ?? vectors[0]?.length ?? 0;
    const wrong = vectors.find(({ length }) => length !== dimensions);
    if (wrong === undefined) return;
    const message = `The vectors of a space have ${dimensions} dimensions, and one of them has ${wrong.length}`;
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
      const puts = putsOf(spaceId, entries);
      await eachAtOnce(puts, REQUESTS_AT_ONCE, (put) =>
        requests.send(first.values.length, (index) => index.upsert(put), signal),
      );
    },

    async remove(spaceId, userId, ids, signal) {
      const namespace = namespaceOf(spaceId, userId);
      const dimensions = await dimensionsOf(spaceId);
      await eachAtOnce(slices(ids, MAX_DELETED_IDS), REQUESTS_AT_ONCE, (slice) =>
        requests.remove(dimensions, (index) => index.deleteMany({ ids: slice, namespace }), signal),
      );
    },

    async removeUser(spaceId, userId, signal) {
      const namespace = namespaceOf(spaceId, userId);
      await requests.remove(await dimensionsOf(spaceId), (index) => index.deleteNamespace(namespace), signal);
    },

    async visible(spaceId, userId, revisions, signal) {
      const shown = new Set<string>();
      const dimensions = await dimensionsOf(spaceId);
      // Nobody searches a space that is out of use.
      if (dimensions === undefined) return shown;
      const namespace = namespaceOf(spaceId, userId);
      const groups = slices(Object.keys(revisions), fetchedIds(dimensions));
      await eachAtOnce(groups, REQUESTS_AT_ONCE, async (ids) => {
        const { records } = await requests.send(
          dimensions,
          (index) => index.fetch({ ids, namespace }),
          signal,
        );
        for (const id of ids) {
          const revision = records[id]?.metadata?.revision;
          if (revision !== undefined && revision >= (revisions[id] ?? Infinity)) shown.add(id);
        }
      });
      return shown;
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
            ...(filter === undefined ? {} : { filter }),
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

  function* putsOf(spaceId: number, entries: readonly VectorEntry[]): Generator<Put> {
    const groups = new Map<string, VectorEntry[]>();
    for (const entry of entries) {
      const namespace = namespaceOf(spaceId, entry.userId);
      const group = groups.get(namespace);
      if (group === undefined) groups.set(namespace, [entry]);
      else group.push(entry);
    }
    for (const [namespace, group] of groups) {
      for (const records of batchesOf(group)) yield { namespace, records };
    }
  }
}

function checkOptions({ apiKey, indexName }: PineconeIndexOptions): void {
  const details = { service: 'vectordb' };
  if (!KEY.test(apiKey)) {
    throw new HoldfastError('CONFIGURATION', 'The Pinecone API key has characters that no key has', {
      details,
    });
  }
  if (!INDEX_NAME.test(indexName)) {
    throw new HoldfastError(
      'CONFIGURATION',
      `A Pinecone index cannot be named "${indexName}": lower-case letters, digits and "-", at most 45, alone can`,
      { details },
    );
  }
}

/** No memory of an index is of a session, as semantic ones are of none. */
function findsNothing({ kind, limit, filters }: VectorQuery): boolean {
  return (
    kind !== 'semantic' || limit < 1 || filters?.sessionId !== undefined || filters?.anyLabel?.length === 0
  );
}

function fetchedIds(dimensions: number): number {
  return Math.max(1, Math.min(MAX_FETCHED_IDS, Math.floor(MAX_FETCHED_VALUES / dimensions)));
}

function slices<T>(items: readonly T[], size: number): T[][] {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, at) => at * size);
  return starts.map((start) => items.slice(start, start + size));
}

/** Rounding may carry a cosine a little past its ends. */
function clamp(score: number): number {
  return Math.max(-1, Math.min(1, score));
}

function nearestFirst(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}
