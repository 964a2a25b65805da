import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';

/** Counts reads apart from them, so that no read waits for a write. */
export interface ReadCounter {
  /** @returns the memory with this and the latest reads of this process in it */
  note(node: MemoryNode): MemoryNode;
  /** Writes all that was noted before the call. What cannot be written is kept for the next time. */
  flush(): Promise<void>;
  /** The last flush, and no more. */
  close(): Promise<void>;
}

interface Pending {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

const FLUSH_EVERY_MS = 1_000;
/** More memories than this are not waiting for their counts, or an outage would fill the memory. */
const MAX_PENDING = 10_000;

export function createReadCounter(
  graph: Pick<MemoryGraph, 'noteReads'>,
  onLost: (error: unknown) => void,
): ReadCounter {
  let pending = new Map<string, Pending>();
  let flushing: Promise<void> | undefined;

  async function write(): Promise<void> {
    const notes = pending;
    if (notes.size === 0) return;
    pending = new Map();
    try {
      await graph.noteReads([...notes].map(([id, { count, at }]) => ({ id, count, at })));
    } catch (error) {
      onLost(error);
      for (const [id, { count, at }] of notes) add(id, count, at);
    }
  }

  function add(id: string, count: number, at: number): Pending | undefined {
    const before = pending.get(id);
    if (before === undefined && pending.size >= MAX_PENDING) return undefined;
    const now = { count: (before?.count ?? 0) + count, at: Math.max(before?.at ?? 0, at) };
    pending.set(id, now);
    return now;
  }

  /** One write at a time; what was noted while one is under way waits for the next. */
  async function flush(): Promise<void> {
    await flushing;
    flushing ??= write().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref();

  return {
    note(node) {
      const own = add(node.id, 1, Date.now());
      return own === undefined ? node : { ...node, readCount: node.readCount + own.count, readAt: own.at };
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
