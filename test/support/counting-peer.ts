import type { ServerResponse } from 'node:http';
import { type PeerRequest, startStubPeer, type StubPeer } from './stub-peer';

/** A peer that holds requests until this number wait at the same time, and records the maximum. */
export interface CountingPeer extends StubPeer {
  /** The maximum number of requests that waited at the same time. */
  readonly most: number;
  /** How many requests have to wait before any is answered; further ones are answered at once. */
  gather(count: number): void;
}

/** @param answer answers one request; 200 with the path by default */
export async function startCountingPeer(
  answer: (request: PeerRequest, response: ServerResponse) => void = ({ path }, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ path })),
): Promise<CountingPeer> {
  let most = 0;
  let wanted = 1;
  let waiting: (() => void)[] = [];
  const peer = await startStubPeer((request, response) => {
    waiting.push(() => answer(request, response));
    most = Math.max(most, waiting.length);
    if (waiting.length < wanted) return;
    // It answers one iteration of the event loop later, so that a request beyond the limit would still be seen.
    const together = waiting;
    setTimeout(() => {
      waiting = waiting.filter((one) => !together.includes(one));
      for (const one of together) one();
    }, 50);
  });
  return {
    ...peer,
    get most() {
      return most;
    },
    gather(count) {
      most = 0;
      wanted = count;
    },
  };
}
