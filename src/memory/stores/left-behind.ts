import { startTimeLimit } from '../../base/async/time-limit';
import { untilAborted } from '../../base/async/until-aborted';
import type { MemoryKind } from '../../stores/memory/node';
import type { Memory } from '../service/create-memory';
import { type MemorySettings, placesOf } from '../service/memory-settings';
import type { RefCountedPool } from '../service/ref-counted-pool';
import { settingsOf, type StoreRecord } from './record';
import type { ResolvedStores, StoreSettings } from './settings';

/** A store in which memories stay that were written before. */
export type LeftBehind = 'graphdb' | 'vectordb';

export interface LeftBehindPorts {
  readonly before: StoreRecord;
  /** The stores that take the place of the ones of `before`. */
  readonly resolved: ResolvedStores;
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  readonly memories: RefCountedPool<MemorySettings, Memory>;
}

/** Looking whether a store holds anything, milliseconds. */
const LIMIT_MS = 3_000;

/** In which of the stores in use before memories stay. One that cannot be asked counts as holding some. */
export async function findLeftBehind(ports: LeftBehindPorts): Promise<LeftBehind[]> {
  const { before, resolved, resolve, memories } = ports;
  let was: ResolvedStores;
  try {
    was = resolve(settingsOf(before));
  } catch {
    // The environment does not complete them any more, so nobody can have written there lately.
    return [];
  }
  const [from, to] = [placesOf(was.memory), placesOf(resolved.memory)];
  const moved = {
    graphdb: from.graphdb !== to.graphdb,
    vectordb: from.vectordb !== to.vectordb && from.vectordb !== 'none',
  };
  if (!moved.graphdb && !moved.vectordb) return [];
  const handle = memories.acquire(was.memory);
  const limit = startTimeLimit({
    signal: new AbortController().signal,
    timeoutMs: LIMIT_MS,
    timedOut: () => new Error('the former store does not answer'),
  });
  const holds = async (kind: MemoryKind): Promise<boolean> => {
    const users = untilAborted(handle.value.graph.listUsers(kind, { limit: 1 }), limit.signal);
    return users.then(
      ({ length }) => length > 0,
      () => true,
    );
  };
  try {
    const [episodic, semantic] = await Promise.all([holds('episodic'), holds('semantic')]);
    return [
      ...(moved.graphdb && (episodic || semantic) ? (['graphdb'] as const) : []),
      ...(moved.vectordb && semantic ? (['vectordb'] as const) : []),
    ];
  } finally {
    limit.end();
    void handle.release().catch(() => undefined);
  }
}
