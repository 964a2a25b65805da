import type { ServerResponse } from 'node:http';
import type { PeerRequest, StubPeer } from './stub-peer';
import { startStubPeer } from './stub-peer';

/** A peer that holds requests until this number are waiting at a time, and records the largest number. */
export interface CountingPeer extends StubPeer {
  /** Most requests that waited at the same time. */
  readonly most: number;
  /** How many have to wait before any is answered; those over are answered at once. */
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
    // A turn of the loop later, so that one more than there may be would still be seen.
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
