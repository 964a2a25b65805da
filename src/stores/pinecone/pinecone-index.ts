import type { Index } from '@pinecone-database/pinecone';
import { HoldfastError } from '../../errors';
import type { SearchHit, VectorQuery } from '../memory/search';
import type { VectorEntry, VectorIndex } from '../memory/vector-index';
import { eachAtOnce } from './at-once';
import { type ClientSettings, createPineconeClient } from './client';
import { isMissing, toIndexError, unwrap } from './errors';
import { toFilter } from './filter';
import { createIndexFinder, dimensionMismatch } from './find-index';
import { batchesOf, type MemoryMetadata, type MemoryRecord } from './records';

export interface PineconeIndexOptions {
  readonly apiKey: string;
  /** Made where there is none: serverless, by cosine. */
  readonly indexName: string;
  /** The region where an index is made, with or without its cloud behind it. */
  readonly environment: string;
  /** Of every vector. */
  readonly dimensions: number;
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

type MemoryIndex = Index<MemoryMetadata>;

interface Put {
  readonly namespace: string;
  readonly records: MemoryRecord[];
}

const INDEX_NAME = /^[a-z0-9]([a-z0-9-]{0,43}[a-z0-9])?$/;
const KEY = /^[\x21-\x7e]+$/;

/**
 * Vectors of semantic memories in a Pinecone index, which is looked up by the first call and made where it does
 * not exist. A user's vectors of a space are one namespace of it. Beside the port's errors, methods throw
 * `CONFIGURATION` where the index has other dimensions than the vectors or does not compare by cosine.
 * @throws HoldfastError `CONFIGURATION` for a key or a name that none can be
 */
export function createPineconeIndex(options: PineconeIndexOptions): VectorIndex {
  checkOptions(options);
  const { indexName, environment, dimensions, namespaceOf } = options;
  const client = createPineconeClient({ controllerHostUrl: undefined, ...options });
  const finder = createIndexFinder(client, { name: indexName, dimensions, environment });
  const fetchedIds = Math.max(1, Math.min(MAX_FETCHED_IDS, Math.floor(MAX_FETCHED_VALUES / dimensions)));

  const request = async <T>(work: (index: MemoryIndex) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await client.call(async (pinecone, limit) => {
        const host = await finder.host(limit.signal);
        return work(pinecone.index<MemoryMetadata>({ host }));
      }, signal);
    } catch (thrown) {
      signal?.throwIfAborted();
      // An index that was made anew has another address.
      finder.forget();
      throw toIndexError(thrown);
    }
  };

  const removing = (work: (index: MemoryIndex) => Promise<void>, signal?: AbortSignal): Promise<void> =>
    request(async (index) => {
      try {
        await work(index);
      } catch (error) {
        // Nothing was ever put there, or all of it is gone.
        if (!isMissing(unwrap(error))) throw error;
      }
    }, signal);

  return {
    async upsert(spaceId, entries, signal) {
      for (const { values } of entries) checkLength(values);
      const puts = putsOf(spaceId, entries);
      await eachAtOnce(puts, REQUESTS_AT_ONCE, (put) => request((index) => index.upsert(put), signal));
    },

    async remove(spaceId, userId, ids, signal) {
      const namespace = namespaceOf(spaceId, userId);
      await eachAtOnce(slices(ids, MAX_DELETED_IDS), REQUESTS_AT_ONCE, (slice) =>
        removing((index) => index.deleteMany({ ids: slice, namespace }), signal),
      );
    },

    removeUser: (spaceId, userId, signal) =>
      removing((index) => index.deleteNamespace(namespaceOf(spaceId, userId)), signal),

    async visible(spaceId, userId, revisions, signal) {
      const namespace = namespaceOf(spaceId, userId);
      const shown = new Set<string>();
      await eachAtOnce(slices(Object.keys(revisions), fetchedIds), REQUESTS_AT_ONCE, async (ids) => {
        const { records } = await request((index) => index.fetch({ ids, namespace }), signal);
        for (const id of ids) {
          const revision = records[id]?.metadata?.revision;
          if (revision !== undefined && revision >= (revisions[id] ?? Infinity)) shown.add(id);
        }
      });
      return shown;
    },

    async search(query, signal) {
      checkLength(query.vector);
      if (findsNothing(query)) return [];
      const { spaceId, userId, vector, limit, filters = {} } = query;
      const filter = toFilter(filters);
      const { matches } = await request(
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
      await request((index) => index.listNamespaces({ limit: 1 }), signal);
    },

    close: () => client.close(),
  };

  function checkLength({ length }: Float32Array): void {
    if (length !== dimensions) throw dimensionMismatch(indexName, dimensions, length);
  }

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
  if (!KEY.test(apiKey)) {
    throw new HoldfastError('CONFIGURATION', 'The Pinecone API key has characters that no key has');
  }
  if (!INDEX_NAME.test(indexName)) {
    throw new HoldfastError(
      'CONFIGURATION',
      `A Pinecone index cannot be named "${indexName}": lower-case letters, digits and "-", at most 45, alone can`,
    );
  }
}

/** No memory of an index is of a session, as semantic ones are of none. */
function findsNothing({ kind, limit, filters }: VectorQuery): boolean {
  return (
    kind !== 'semantic' || limit < 1 || filters?.sessionId !== undefined || filters?.anyLabel?.length === 0
  );
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
