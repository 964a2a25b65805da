import { createCheckedFetch, type CheckedFetch } from '../../../../../src/egress/checked-fetch';
import { createConnect, type Connect } from '../../../client/connect';
import { listTools } from '../../../client/list-tools';
import {
  startSessionPeer,
  type SessionPeer,
  type SessionPeerOptions,
} from '../../../../../test/support/session-peer';
import { waitFor } from '../../../../../test/support/wait';
import { withinTime } from '../../../../../src/base/async/time-limit';

/** Much longer than what is tested takes. */
const HANG_MS = 30_000;
/** Longer than a test waits, so that nothing ends by this limit. */
const PROBE_MS = 10 * HANG_MS;
const never = new AbortController().signal;

let fetch: CheckedFetch;
let peer: SessionPeer;
beforeEach(() => {
  fetch = createCheckedFetch({ allowPrivate: true, maxBodyBytes: 100_000 });
});
afterEach(async () => {
  await fetch.close();
  await peer.close();
});

/** Starts a server and connects to it. @param probeMs the limit of the question for the revision */
async function connectTo(options: SessionPeerOptions, signal = never, probeMs = PROBE_MS) {
  peer = await startSessionPeer(options);
  return connectBy(probeMs)(access(), { signal, timeoutMs: HANG_MS });
}

const access = () => ({ url: peer.url, headers: {}, owner: { tenant: 'default' }, allowPrivate: true });
const connectBy = (probeMs: number): Connect =>
  createConnect(fetch, { open: () => Promise.reject(new Error('no commands here')) }, probeMs);
const inTime = <T>(work: Promise<T>): Promise<T> =>
  withinTime(work, HANG_MS, () => {
    throw new Error('it hangs');
  });
const noRequests = () =>
  waitFor(() => peer.open() === 0, { what: 'the requests to end', timeoutMs: HANG_MS });

test.each(['answer', 'hold', 'trickle'] as const)(
  'a connection ends with all of its requests where the server does "%s" at the end of a session',
  async (end) => {
    const { close } = await connectTo({ end });
    await waitFor(() => peer.methods().includes('GET'), { what: 'the stream of the session' });
    await inTime(close());
    expect(peer.methods().at(-1)).toBe('DELETE');
    await noRequests();
  },
);

test('a server that leaves the question for its revision unanswered is one of 2025', async () => {
  const { client, close } = await inTime(connectTo({ discover: 'hold' }, never, 200));
  expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
  expect(peer.methods().slice(0, 2)).toEqual(['server/discover', 'initialize']);
  await close();
  await noRequests();
});

test('a server whose revision is known is not asked for it', async () => {
  peer = await startSessionPeer();
  const known = { ...access(), prior: { kind: 'legacy' } as const };
  const { close } = await connectBy(PROBE_MS)(known, { signal: never, timeoutMs: HANG_MS });
  expect(peer.methods()[0]).toBe('initialize');
  await close();
});

test.each([
  ['server/discover', { discover: 'hold' }],
  ['server/discover', { discover: 'trickle' }],
  ['notifications/initialized', { initialized: 'hold' }],
] as const)('an abort ends a connection whose %s is not answered: %j', async (method, options) => {
  const caller = new AbortController();
  peer = await startSessionPeer(options);
  const { signal } = caller;
  const connecting = connectBy(PROBE_MS)(access(), { signal, timeoutMs: HANG_MS });
  await waitFor(() => peer.methods().includes(method), { what: method });
  caller.abort(new Error('given up'));
  const end = connecting.then(
    () => 'connected',
    () => 'ended',
  );
  expect(await inTime(end)).toBe('ended');
  await noRequests();
});

test('an abort before a connection leaves no request', async () => {
  const aborted = AbortSignal.abort(new Error('given up'));
  await expect(inTime(connectTo({}, aborted))).rejects.toThrow('given up');
  expect(peer.methods()).toEqual([]);
});

test('a listing ends at its limit, also where the end of its connection hangs', async () => {
  peer = await startSessionPeer();
  const stopping = new AbortController();
  let isClosing: () => void = () => undefined;
  const closing = new Promise<void>((resolve) => (isClosing = resolve));
  const hanging: Connect = async (...args) => {
    const connection = await connectBy(PROBE_MS)(...args);
    return {
      client: connection.client,
      async close() {
        await connection.close();
        isClosing();
        await new Promise(() => undefined);
      },
    };
  };
  const listing = listTools(hanging, 'shop', access(), stopping.signal);
  await closing;
  stopping.abort(new Error('the service is being stopped'));
  await expect(inTime(listing)).rejects.toThrow('the service is being stopped');
});
