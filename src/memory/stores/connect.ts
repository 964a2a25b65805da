import { setTimeout as delay } from 'node:timers/promises';
import { startTimeLimit, untilAborted } from '../../base/async/time-limit';
import type { MemoryComponent } from '../../contracts/http/memory';
import type { Embedder, EmbedderIdentity } from '../../embeddings/embedder';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { VectorSpace } from '../../stores/memory/vector-spaces';
import type { OpenStores } from '../service/open-stores';
import { identityOf, nameOf } from '../vectors/vector-spaces';
import type { ResolvedStores } from './settings';
import type { Embedders } from '../../embeddings/embedders';

/** The field of an initialization for each setting that error texts name. */
const FIELDS: Readonly<Record<string, string>> = {
  NEO4J_URI: 'graphdb.uri',
  NEO4J_USERNAME: 'graphdb.username',
  NEO4J_PASSWORD: 'graphdb.password',
  NEO4J_DATABASE: 'graphdb.database',
  PINECONE_API_KEY: 'vectordb.apiKey',
  PINECONE_INDEX: 'vectordb.indexName',
  MEMORY_EMBEDDING_MODEL: 'embedding.model',
  MEMORY_EMBEDDING_DIMENSIONS: 'embedding.dimensions',
};
const NAMES: Readonly<Record<MemoryComponent, string>> = {
  graphdb: 'The graph store',
  vectordb: 'The vector store',
  embedder: 'The embedding model',
};

const LOOK_EVERY_MS = 250;
/** Long enough for the download of a small model, so that an initialization does not wait for a large one. */
const MAX_WAIT_MS = 15_000;
/** A download that takes longer than this counts as hanging. */
const MAX_DOWNLOAD_MS = 3_600_000;

/** Descriptions of failures by the messages of the driver and of the sockets below it; the first match counts. */
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/\bECONNREFUSED\b/, 'the connection was refused'],
  [/\b(ENOTFOUND|ENODATA)\b/, 'there is no such host'],
  [/\b(EAI_AGAIN|ESERVFAIL)\b/, 'its name cannot be looked up at the moment'],
  [/\b(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)\b/, 'the host is unreachable'],
  [
    /responded HTTP/i,
    'it answers as a web server; Neo4j accepts bolt connections at another port, usually 7687',
  ],
  [
    /certificate|self-signed|altname|\b(TLS|SSL|EPROTO)\b|wrong version number/i,
    'no trusted TLS connection could be made',
  ],
  [/timed out|ETIMEDOUT|connection in \d+ ?ms|not answer|no answer in time/i, 'it did not answer in time'],
  [/\bECONNRESET\b|\bEPIPE\b|connection was closed|hang up/i, 'it closed the connection'],
];

/** The result of a connection to usable stores. */
export interface Reached {
  /** The components that can be used now. */
  readonly services: readonly MemoryComponent[];
  /** The model by which the memories in these stores are embedded. */
  readonly embedding: EmbedderIdentity;
}

/** Time limit for reaching all stores, including creating a schema and an index of vectors, milliseconds. */
const LIMIT_MS = 25_000;
/** The part of it in which a model that no caller named may be loaded from disk, milliseconds. */
const LOADED_WITHIN_MS = 5_000;

/**
 * Connects to the stores: logs in, updates the schema, finds or creates the index, and checks whether the embedding
 * model is that of the stored memories.
 * @throws HoldfastError `MEMORY_UNAVAILABLE` with details `{ service, reason }`
 */
export async function connectTo(
  opened: OpenStores,
  stores: ResolvedStores,
  signal: AbortSignal,
): Promise<Reached> {
  const limit = startTimeLimit({
    signal,
    timeoutMs: LIMIT_MS,
    timedOut: () => new HoldfastError('STORE_UNAVAILABLE', `it did not answer within ${LIMIT_MS / 1_000} s`),
  });
  const reach = async <T>(service: MemoryComponent, work: Promise<T>): Promise<T> => {
    try {
      return await untilAborted(work, limit.signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isHoldfastError(error) && error.code === 'MEMORY_UNAVAILABLE') throw error;
      const isServer = service === 'graphdb' && neo4j !== undefined;
      const reason = isServer ? graphReason(error, neo4j.uri, stores.isAddressNamed) : toReason(error);
      throw memoryUnavailable(service, reason, error);
    }
  };
  const { graph, index, hasSemantic } = opened;
  const { neo4j } = stores.memory;
  try {
    if (neo4j !== undefined) await reach('graphdb', opened.checkServer());
    await reach('graphdb', graph.ping());
    if (index !== undefined) await reach('vectordb', index.ping(limit.signal));
    const { identity, isUsable } = await reach('embedder', findEmbedder(opened, stores, limit.signal));
    return {
      services: [
        'graphdb',
        ...(hasSemantic ? (['vectordb'] as const) : []),
        ...(isUsable ? (['embedder'] as const) : []),
      ],
      embedding: identity,
    };
  } finally {
    limit.end();
  }
}

/**
 * Finds the embedder. A model that a caller named has to be that of the stored memories, and usable now. The model of
 * the environment may still be loading, or wait until the memories are moved to it.
 */
async function findEmbedder(
  { graph, embedders }: OpenStores,
  { isModelNamed }: ResolvedStores,
  signal: AbortSignal,
): Promise<{ readonly identity: EmbedderIdentity; readonly isUsable: boolean }> {
  const [preferred] = embedders.all;
  if (preferred === undefined) throw new HoldfastError('INTERNAL', 'There is no embedder');
  const { current } = await graph.vectorSpaces();
  const pinned = current === null ? undefined : embedders.find(identityOf(current));
  if (isModelNamed) {
    if (current !== null && pinned === undefined) throw embeddedByAnotherModel(current, preferred.identity);
    const named = pinned ?? preferred;
    await waitForModel(named, signal);
    return { identity: named.identity, isUsable: true };
  }
  const soon = AbortSignal.any([signal, AbortSignal.timeout(LOADED_WITHIN_MS)]);
  if (current === null) {
    return embedders.choose(soon).then(
      ({ identity }) => ({ identity, isUsable: true }),
      () => ({ identity: preferred.identity, isUsable: false }),
    );
  }
  if (pinned === undefined) return { identity: preferred.identity, isUsable: false };
  return { identity: pinned.identity, isUsable: await isReady(pinned, soon) };
}

function isReady(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
  return embedder.ready(signal).then(
    () => true,
    () => false,
  );
}

function embeddedByAnotherModel({ model, dimensions }: VectorSpace, named: EmbedderIdentity): HoldfastError {
  return memoryUnavailable(
    'embedder',
    `the memories that are there were embedded by ${model} (${dimensions} dimensions), and not by ` +
      `${nameOf(named)} (${named.dimensions}): name that model, or another store`,
  );
}

/**
 * Describes why a Neo4j server cannot be used, in words that may be shown to the caller who sets its address: the
 * field, the host and the failure; never a user or a password. Pure.
 * @param isNamed whether a caller named the address; otherwise it comes from the environment
 */
export function graphReason(error: unknown, uri: string, isNamed: boolean): string {
  const reason = toReason(error);
  if (!isHoldfastError(error) || error.code !== 'STORE_UNAVAILABLE') return reason;
  const texts = collectTexts(error);
  const failure = FAILURES.find(([pattern]) => pattern.test(texts))?.[1];
  if (failure === undefined) return reason;
  const field = isNamed ? 'graphdb.uri' : 'graphdb.uri, or NEO4J_URI';
  return `${readHost(uri)} cannot be reached: ${failure}; check ${field}`;
}

/** Collects codes and messages of an error and of all its causes. */
function collectTexts(error: unknown, depth = 0): string {
  if (error === undefined || depth > 8) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const ownText = `${typeof code === 'string' ? code : ''} ${messageOf(error)}`;
  return `${ownText}\n${cause === undefined || cause === null ? '' : collectTexts(cause, depth + 1)}`;
}

function readHost(uri: string): string {
  try {
    return new URL(uri).host;
  } catch {
    return 'the server';
  }
}

/** Waits for the model, and up to a limit for its download. @throws what `Embedder.ready` throws */
async function waitForModel(embedder: Embedder, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await embedder.ready(signal);
    } catch (error) {
      if (!isLoading(embedder) || performance.now() >= deadline) throw error;
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Resolves when no model is being loaded, so that a download that one initialization began serves the next one. */
export async function untilLoaded({ all: [preferred] }: Embedders): Promise<void> {
  const deadline = performance.now() + MAX_DOWNLOAD_MS;
  while (preferred !== undefined && isLoading(preferred) && performance.now() < deadline)
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
}

function isLoading(embedder: Embedder): boolean {
  return embedder.status().state === 'loading';
}

/** `MEMORY_UNAVAILABLE`, details `{ service, reason }`: a requested store cannot be used. */
export function memoryUnavailable(service: MemoryComponent, reason: string, cause?: unknown): HoldfastError {
  return new HoldfastError('MEMORY_UNAVAILABLE', `${NAMES[service]} cannot be used: ${reason}`, {
    details: { service, reason },
    cause,
  });
}

/** Describes a failure in words that callers may see and that name the fields of an initialization. Pure. */
export function toReason(error: unknown): string {
  if (!isHoldfastError(error)) return 'its answer is not as expected';
  const { reason, field, message } = error.details ?? {};
  const text = typeof reason === 'string' ? reason : messageOf(error);
  if (typeof field === 'string' && typeof message === 'string') return `${field} ${message}`;
  return text.replace(/\b[A-Z\d]+(?:_[A-Z]+)+\b/g, (name) => FIELDS[name] ?? name);
}
