import type { ServerResponse } from 'node:http';
import { sendJson, startStubPeer, type StubPeer } from './stub-peer';
import { waitFor } from './wait';

/** A peer that answers with the requested path, and holds requests to paths below `/held`. */
export interface HoldingPeer extends StubPeer {
  /** Resolves when `path` has been requested `count` times in total. */
  arrived(path: string, count?: number): Promise<void>;
  /** Answers the requests that wait at `path`, and from now on every request to it at once. */
  release(path: string): void;
  /** The number of requests that wait for their answer and whose sender has not given up. */
  readonly waiting: number;
}

export async function startHoldingPeer(): Promise<HoldingPeer> {
  const waiting: { readonly path: string; readonly response: ServerResponse }[] = [];
  const released = new Set<string>();
  const peer = await startStubPeer(({ path }, response) => {
    if (path.startsWith('/held') && !released.has(path)) waiting.push({ path, response });
    else sendJson(response, 200, { path });
  });
  return {
    ...peer,
    get waiting() {
      return waiting.filter(({ response }) => !response.destroyed && !response.writableEnded).length;
    },
    arrived: async (path, count = 1) => {
      await waitFor(() => peer.count(path) >= count, {
        what: `request ${count} for ${path} at the peer`,
      });
    },
    release(path) {
      released.add(path);
      for (const held of waiting) if (held.path === path) sendJson(held.response, 200, { path });
    },
  };
}
