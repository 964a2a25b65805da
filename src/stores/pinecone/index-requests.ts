import type { Index } from '@pinecone-database/pinecone';
import type { PineconeClient } from './client';
import { isMissing, toIndexError, unwrap } from './errors';
import type { IndexFinder } from './find-index';
import type { MemoryMetadata } from './records';

export type MemoryIndex = Index<MemoryMetadata>;
type Work<T> = (index: MemoryIndex) => Promise<T>;

/** Requests to indexes that are found by the length of their vectors. All methods throw what callers of an index are told. */
export interface IndexRequests {
  /** To the index for vectors of this length. */
  send<T>(dimensions: number, work: Work<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Takes something out of the index for vectors of this length, or, where that is not known, out of every one. What is not
   * there counts as taken out.
   */
  remove(dimensions: number | undefined, work: Work<void>, signal?: AbortSignal): Promise<void>;
}

export function createIndexRequests(client: PineconeClient, finder: IndexFinder): IndexRequests {
  async function told<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await call();
    } catch (thrown) {
      signal?.throwIfAborted();
      // An index that was made anew has another address.
      finder.forget();
      throw toIndexError(thrown);
    }
  }

  function sendTo<T>(
    hostOf: (signal: AbortSignal) => Promise<string> | string,
    work: Work<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const call = (): Promise<T> =>
      client.call(async (pinecone, limit) => {
        const host = await hostOf(limit.signal);
        return work(pinecone.index<MemoryMetadata>({ host }));
      }, signal);
    return told(call, signal);
  }

  const requests: IndexRequests = {
    send: (dimensions, work, signal) => sendTo((limit) => finder.host(dimensions, limit), work, signal),
    async remove(dimensions, work, signal) {
      const removing = async (index: MemoryIndex): Promise<void> => {
        try {
          await work(index);
        } catch (error) {
          // Nothing was ever put there, or all of it is gone.
          if (!isMissing(unwrap(error))) throw error;
        }
      };
      if (dimensions !== undefined) return requests.send(dimensions, removing, signal);
      for (const host of await told(() => finder.hosts(signal), signal)) {
        await sendTo(() => host, removing, signal);
      }
    },
  };
  return requests;
}
