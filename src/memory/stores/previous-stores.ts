import { startTimeLimit } from '../../base/async/time-limit';
import { untilAborted } from '../../base/async/until-aborted';
import type { MemoryKind } from '../../stores/memory/node';
import type { Memory } from '../service/create-memory';
import { type MemorySettings, placesOf } from '../service/memory-settings';
import type { RefCountedPool } from '../service/ref-counted-pool';
import { effectiveSettings, type StoreRecord } from './record';
import type { ResolvedStores, StoreSettings } from './settings';

/** A previous store that still contains memories. */
export type StoreWithData = 'graphdb' | 'vectordb';

export interface PreviousStoresPorts {
  readonly before: StoreRecord;
  /** The stores that replace those of `before`. */
  readonly resolved: ResolvedStores;
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  readonly memories: RefCountedPool<MemorySettings, Memory>;
}

/** Time limit for checking whether a store contains memories, milliseconds. */
const LIMIT_MS = 3_000;

/** Finds the replaced stores that still contain memories. A store that cannot be reached counts as one of them. */
export async function findDataInPreviousStores(ports: PreviousStoresPorts): Promise<StoreWithData[]> {
  const { before, resolved, resolve, memories } = ports;
  let previous: ResolvedStores;
  try {
    previous = resolve(effectiveSettings(before));
  } catch {
    // The environment no longer completes their settings, so no process can have written there lately.
    return [];
  }
  const [from, to] = [placesOf(previous.memory), placesOf(resolved.memory)];
  const moved = {
    graphdb: from.graphdb !== to.graphdb,
    vectordb: from.vectordb !== to.vectordb && from.vectordb !== 'none',
  };
  if (!moved.graphdb && !moved.vectordb) return [];
  const handle = memories.acquire(previous.memory);
  const limit = startTimeLimit({
    signal: new AbortController().signal,
    timeoutMs: LIMIT_MS,
    timedOut: () => new Error('the previous store does not answer'),
  });
  const containsMemories = async (kind: MemoryKind): Promise<boolean> => {
    const users = untilAborted(handle.value.graph.listUsers(kind, { limit: 1 }), limit.signal);
    return users.then(
      ({ length }) => length > 0,
      () => true,
    );
  };
  try {
    const [episodic, semantic] = await Promise.all([
      containsMemories('episodic'),
      containsMemories('semantic'),
    ]);
    return [
      ...(moved.graphdb && (episodic || semantic) ? (['graphdb'] as const) : []),
      ...(moved.vectordb && semantic ? (['vectordb'] as const) : []),
    ];
  } finally {
    limit.end();
    void handle.release().catch(() => undefined);
  }
}
