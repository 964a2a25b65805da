import { createCheckedFetch } from '../../../src/egress/checked-fetch';
import { sendJson, startStubPeer, type StubPeer } from '../../support/stub-peer';

const MAX = 1_000;

let peer: StubPeer;
beforeAll(async () => {
  peer = await startStubPeer(({ path }, response) => {
    if (path === '/long') response.end('x'.repeat(MAX + 1));
    else if (path === '/moved') response.writeHead(307, { location: '/' }).end();
    else sendJson(response, 200, { answered: true });
  });
});
afterAll(() => peer.close());

async function using<T>(
  use: (url: string, fetch: typeof globalThis.fetch) => Promise<T>,
  permitted = true,
): Promise<T> {
  const checked = createCheckedFetch({ allowPrivate: true, maxBodyBytes: MAX });
  try {
    return await use(peer.url, checked.of({ owner: { tenant: 'default' }, allowPrivate: permitted }));
  } finally {
    await checked.close();
  }
}

test('a response is read as it is, and a redirect is not followed', async () => {
  expect(await using(async (url, fetch) => (await fetch(url)).json())).toEqual({ answered: true });
  const moved = await using((url, fetch) => fetch(`${url}/moved`));
  expect([moved.status, moved.headers.get('location')]).toEqual([307, '/']);
});

test('a body above the limit fails', async () => {
  await expect(using(async (url, fetch) => (await fetch(`${url}/long`)).text())).rejects.toThrow(
    /larger than the 1000 bytes/,
  );
});

test('a private address is refused without the permission of the run', async () => {
  const before = peer.requests.length;
  const refused = using((url, fetch) => fetch(url), false);
  await expect(refused).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/loopback address/) },
  });
  expect(peer.requests.slice(before)).toEqual([]);
});
