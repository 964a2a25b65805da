import { startTimeLimit } from '../../base/async/time-limit';
import { untilAborted } from '../../base/async/until-aborted';
import type { CONNECTIVITY } from '../../contracts/http/agent';
import { HoldfastError } from '../../base/errors';
import type { Memory } from '../service/create-memory';
import type { MemoryStores } from './memory-stores';
import { toReason } from './unavailable';

export interface StoreConnectivity {
  readonly state: (typeof CONNECTIVITY)[number];
  /** The reason, with what to check; present if the store is unavailable. */
  readonly reason?: string;
}

export interface Connectivity {
  readonly graphdb: StoreConnectivity;
  readonly vectordb: StoreConnectivity;
}

/** Time limit of each check, milliseconds. */
const LIMIT_MS = 2_000;

/** Checks both stores now. Throws nothing. */
export async function readConnectivity({ use }: MemoryStores<Memory>): Promise<Connectivity> {
  const limit = startTimeLimit({
    signal: new AbortController().signal,
    timeoutMs: LIMIT_MS,
    timedOut: () =>
      new HoldfastError('STORE_UNAVAILABLE', `it did not answer within ${LIMIT_MS / 1_000} seconds`),
  });
  const ask = (store: 'graphdb' | 'vectordb'): Promise<StoreConnectivity> =>
    untilAborted(
      use((memory) => pingStore(memory, store, limit.signal)),
      limit.signal,
    ).catch((error: unknown) => ({ state: 'unavailable', reason: toReason(error) }));
  try {
    const [graphdb, vectordb] = await Promise.all([ask('graphdb'), ask('vectordb')]);
    return { graphdb, vectordb };
  } finally {
    limit.end();
  }
}

async function pingStore(
  { graph, index, hasSemantic }: Memory,
  store: 'graphdb' | 'vectordb',
  signal: AbortSignal,
): Promise<StoreConnectivity> {
  if (store === 'vectordb' && !hasSemantic) return { state: 'not configured' };
  if (store === 'vectordb' && index !== undefined) await index.ping(signal);
  else await graph.ping();
  return { state: 'connected' };
}
