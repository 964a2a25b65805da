import { HoldfastError } from '../base/errors';
import type { MemoryGraph } from './memory/memory-graph';
import type { VectorIndex } from './memory/vector-index';
import { wrapMethods } from './wrap-methods';

/** The operations of a graph and of an index that change what they hold. */
export const GRAPH_WRITES = [
  'insert',
  'update',
  'delete',
  'noteReads',
  'beginErasure',
  'eraseSome',
  'endErasure',
  'pinVectorSpace',
  'openNextVectorSpace',
  'putVectors',
  'switchVectorSpace',
  'releaseVectors',
  'deleteTombstones',
  'renewWords',
] as const satisfies readonly (keyof MemoryGraph)[];
export const INDEX_WRITES = [
  'upsert',
  'remove',
  'removeUser',
] as const satisfies readonly (keyof VectorIndex)[];

/** Lets writes through or refuses them, and counts those that run. */
export interface WriteGate {
  /** @throws HoldfastError `STORE_UNAVAILABLE` (retryable) without having begun, if writes are refused */
  run<T>(write: () => Promise<T>): Promise<T>;
  /** Whether no write is running. */
  isIdle(): boolean;
}

/** @param mayWrite asked at the beginning of each write */
export function createWriteGate(mayWrite: () => boolean): WriteGate {
  let running = 0;
  return {
    async run(write) {
      if (!mayWrite()) {
        const reason = 'the stores of memories are being changed, and no memory is written meanwhile';
        throw new HoldfastError('STORE_UNAVAILABLE', `Try again in a moment: ${reason}`, { retryable: true });
      }
      running += 1;
      try {
        return await write();
      } finally {
        running -= 1;
      }
    },
    isIdle: () => running === 0,
  };
}

/** Wraps a store so that its writes pass the gate. */
export function gatedWrites<S extends object>(
  store: S,
  writes: readonly (keyof S)[],
  gate: Pick<WriteGate, 'run'>,
): S {
  const gatedNames = new Set<unknown>(writes);
  return wrapMethods(store, (name, call) => {
    if (!gatedNames.has(name)) return call;
    return (...args) => gate.run(() => call(...args) as Promise<unknown>);
  });
}
