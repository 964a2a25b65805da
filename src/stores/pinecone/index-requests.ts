import type { Index } from '@pinecone-database/pinecone';
import type { PineconeClient } from './client';
import { isMissing, toIndexError, unwrap } from './errors';
import type { IndexFinder } from './find-index';
import type { MemoryMetadata } from './records';

export type MemoryIndex = Index<MemoryMetadata>;
type Work<T> = (index: MemoryIndex) => Promise<T>;

/** Requests to indexes, which are found by the length of their vectors. All methods throw the errors of `toIndexError`. */
export interface IndexRequests {
  /** Sends a request to the index for vectors of this length. */
  send<T>(dimensions: number, work: Work<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Removes something from the index for vectors of this length, or from every index if the length is not known. It succeeds
   * if there is nothing to remove.
   */
  remove(dimensions: number | undefined, work: Work<void>, signal?: AbortSignal): Promise<void>;
}

export function createIndexRequests(client: PineconeClient, finder: IndexFinder): IndexRequests {
  async function withIndexErrors<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await call();
    } catch (thrown) {
      signal?.throwIfAborted();
      // The index may have been deleted and created again, which gives it another address.
      finder.forget();
      throw toIndexError(thrown);
    }
  }

  function sendTo<T>(
    findHost: (signal: AbortSignal) => Promise<string> | string,
    work: Work<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const call = (): Promise<T> =>
      client.call(async (pinecone, limit) => {
        const host = await findHost(limit.signal);
        return work(pinecone.index<MemoryMetadata>({ host }));
      }, signal);
    return withIndexErrors(call, signal);
  }

  const requests: IndexRequests = {
    send: (dimensions, work, signal) => sendTo((limit) => finder.host(dimensions, limit), work, signal),
    async remove(dimensions, work, signal) {
      const removing = async (index: MemoryIndex): Promise<void> => {
        try {
          await work(index);
        } catch (error) {
          // The namespace does not exist: nothing was ever stored in it, or everything was deleted.
          if (!isMissing(unwrap(error))) throw error;
        }
      };
      if (dimensions !== undefined) return requests.send(dimensions, removing, signal);
      for (const host of await withIndexErrors(() => finder.hosts(signal), signal)) {
        await sendTo(() => host, removing, signal);
      }
    },
  };
  return requests;
}
