import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';

/** Counts reads of memories and writes the counts later, so that no read waits for a write. */
export interface ReadCounter {
  /** Counts a read. @returns the memory, with this read and the latest reads of this process included */
  note(node: MemoryNode): MemoryNode;
  /** Writes all reads that were counted before the call. Counts that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
  /** Flushes for the last time, and stops the timer. */
  close(): Promise<void>;
}

interface Pending {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The count in the store, without these reads. */
  readonly stored: number;
}

const FLUSH_EVERY_MS = 1_000;
/** Maximum number of memories with unwritten counts; without a limit an outage would fill the process's memory. */
const MAX_PENDING = 10_000;

export function createReadCounter(
  graph: Pick<UserMemories, 'noteReads'>,
  onLost: (error: unknown) => void,
): ReadCounter {
  let pending = new Map<string, Pending>();
  let flushing: Promise<void> | undefined;
  /**
   * The counts that the last flush wrote, or is writing, in total. A memory that was read from the store before that
   * write does not have them yet.
   */
  let written = new Map<string, number>();

  async function write(): Promise<void> {
    const notes = pending;
    if (notes.size === 0) return;
    pending = new Map();
    written = new Map([...notes].map(([id, { count, stored }]) => [id, stored + count]));
    try {
      await graph.noteReads([...notes].map(([id, { count, at }]) => ({ id, count, at })));
    } catch (error) {
      onLost(error);
      written = new Map();
      for (const [id, note] of notes) {
        // Reads that were counted during the write took it to succeed.
        const during = pending.get(id);
        pending.delete(id);
        add(id, note);
        if (during !== undefined) add(id, { ...during, stored: note.stored });
      }
    }
  }

  function add(id: string, { count, at, stored }: Pending): Pending | undefined {
    const before = pending.get(id);
    if (before === undefined && pending.size >= MAX_PENDING) return undefined;
    const now = {
      count: (before?.count ?? 0) + count,
      at: Math.max(before?.at ?? 0, at),
      stored: Math.max(before?.stored ?? 0, stored),
    };
    pending.set(id, now);
    return now;
  }

  /** Runs one write at a time. Reads that are counted during a write wait for the next. */
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
      const stored = Math.max(node.readCount, written.get(node.id) ?? 0);
      const ownReads = add(node.id, { count: 1, at: Date.now(), stored });
      return ownReads === undefined
        ? node
        : { ...node, readCount: stored + ownReads.count, readAt: ownReads.at };
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
