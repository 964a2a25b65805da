import { startTimeLimit } from '../../base/async/time-limit';
import { untilAborted } from '../../base/async/until-aborted';
import type { MemoryComponent } from '../../contracts/http/memory';
import type { Embedder, EmbedderIdentity } from '../../embeddings/embedder';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { VectorSpace } from '../../stores/memory/vector-spaces';
import type { Memory } from '../service/create-memory';
import { identityOf, nameOf } from '../vectors/vector-spaces';
import type { ResolvedStores } from './settings';
import { memoryUnavailable, toReason } from './unavailable';
import { waitForModel } from './wait-for-model';

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
  memory: Memory,
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
  const { graph, index, hasSemantic } = memory;
  const { neo4j } = stores.memory;
  try {
    if (neo4j !== undefined) await reach('graphdb', memory.checkServer());
    await reach('graphdb', graph.ping());
    if (index !== undefined) await reach('vectordb', index.ping(limit.signal));
    const { identity, isUsable } = await reach('embedder', findEmbedder(memory, stores, limit.signal));
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
  { graph, embedders }: Memory,
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
  const own = `${typeof code === 'string' ? code : ''} ${messageOf(error)}`;
  return `${own}\n${cause === undefined || cause === null ? '' : collectTexts(cause, depth + 1)}`;
}

function readHost(uri: string): string {
  try {
    return new URL(uri).host;
  } catch {
    return 'the server';
  }
}
