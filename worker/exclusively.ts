import type { DocumentStore } from '../src/stores/documents';
import type { Chore } from './housekeeping';

/** The stored lease of a chore. */
interface Lease {
  /** Epoch milliseconds from which on any process may begin a round. */
  readonly nextAt: number;
}

const COLLECTION = 'housekeeping';
/** How long the lease of a process that dies in a round keeps other processes from beginning one, ms. */
const LEASE_MS = 600_000;
const RENEW_EVERY_MS = 200_000;
/**
 * Part of the interval after which the next round is due. It is less than 1 because a timer may fire a little early.
 */
const DUE_AFTER = 0.9;

/**
 * Makes a chore exclusive: all processes that share the documents run it one at a time, and once in an interval. A
 * process whose timer fires while another process runs the chore, or soon after that, does nothing. A round that did
 * not finish is due again at once.
 */
export function exclusively(
  chore: Chore,
  documents: Pick<DocumentStore, 'get' | 'write'>,
  now = Date.now,
): Chore {
  return {
    ...chore,
    async run(signal) {
      const began = now();
      const lease = await takeLease(documents, chore.name, began);
      if (lease === undefined) return 0;
      const lost = new AbortController();
      const renew = (): void =>
        void lease.extend(now() + LEASE_MS).then(
          (isOurs) => isOurs || lost.abort(),
          // The timer tries again before the lease is over.
          () => undefined,
        );
      const timer = setInterval(renew, RENEW_EVERY_MS).unref();
      const all = AbortSignal.any([signal, lost.signal]);
      let isDone = false;
      try {
        const removed = await chore.run(all);
        isDone = !all.aborted;
        return removed;
      } finally {
        clearInterval(timer);
        const nextAt = isDone ? began + (chore.dueMs ?? DUE_AFTER * chore.everyMs) : now();
        // If this fails, the lease runs out by itself.
        await lease.extend(nextAt).catch(() => undefined);
      }
    },
  };
}

interface HeldLease {
  /** Resolves with false if another process has taken the lease meanwhile. */
  extend(nextAt: number): Promise<boolean>;
}

/** @returns undefined if another process has the lease, or if no round is due yet */
async function takeLease(
  documents: Pick<DocumentStore, 'get' | 'write'>,
  name: string,
  now: number,
): Promise<HeldLease | undefined> {
  const lease = await documents.get<Lease>(COLLECTION, name);
  if (lease !== undefined && lease.value.nextAt > now) return undefined;
  let version = lease?.version ?? 0;
  const put = async (nextAt: number): Promise<boolean> => {
    const value: Lease = { nextAt };
    const isOurs = await documents.write([
      { type: 'put', collection: COLLECTION, key: name, value, ifVersion: version },
    ]);
    if (isOurs) version += 1;
    return isOurs;
  };
  if (!(await put(now + LEASE_MS))) return undefined;
  // The writes follow one another, because each needs the version that the previous one has made.
  let last: Promise<unknown> = Promise.resolve();
  return {
    extend(nextAt) {
      const held = last.then(() => put(nextAt));
      last = held.catch(() => undefined);
      return held;
    },
  };
}
