import { startStubPeer } from '../../support/stub-peer';
import { askFor, openOffer } from '../../support/offer';
import { startRelay } from '../../support/relay';
import { request } from '../../support/http';
import { waitFor } from '../../support/wait';

test('a suite has what it asked for until it gives it back', async () => {
  const over: unknown[] = [];
  const offer = await openOffer(async ({ request: asked, over: end }) => {
    void end.then(() => over.push(asked));
    return { for: asked };
  });
  const lease = await askFor<{ for: unknown }>(offer.port, { name: 'one' });
  expect([lease.value, over]).toEqual([{ for: { name: 'one' } }, []]);
  lease.release();
  await waitFor(() => over.length === 1, { what: 'the end of the use' });
  expect(over).toEqual([{ name: 'one' }]);
  offer.close();
});

test('a suite is refused with the reason, and also once the offer is closed', async () => {
  const offer = await openOffer(async () => {
    throw new Error('it does not start');
  });
  await expect(askFor(offer.port)).rejects.toThrow('it does not start');
  offer.close();
  await expect(askFor(offer.port)).rejects.toThrow();
});

test('a relay keeps its address while the server behind it changes', async () => {
  const relay = await startRelay();
  const url = `http://${relay.address}/`;
  for (const name of ['one', 'two']) {
    const peer = await startStubPeer((_request, response) => void response.end(name));
    relay.connectTo(Number(new URL(peer.url).port));
    expect((await request(url)).text).toBe(name);
    relay.disconnect();
    await peer.close();
  }
  await relay.close();
});
