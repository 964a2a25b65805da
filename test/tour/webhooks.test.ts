import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { calculator } from '../support/calls';
import type { SharedService } from '../support/service';
import { startStubPeer, type StubPeer } from '../support/stub-peer';
import { useService } from '../support/use-service';
import { waitFor } from '../support/wait';

let service: SharedService;
let receiver: StubPeer;
beforeAll(async () => {
  receiver = await startStubPeer((_, response) => void response.writeHead(204).end());
  service = await useService();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

test('a receiver gets the end of a run, and the list has the delivery', async () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const webhook = { url: receiver.url, secret };
  const answer = await service.post('/api/tools/execute', {
    ...calculator('add', 1, 2),
    options: { webhook },
  });
  const traceId = answer.headers.get('x-trace-id');
  const message = await waitFor(() => receiver.requests[0], { what: 'a message' });
  expect(new Webhook(secret).verify(message.body, message.headers as Record<string, string>)).toMatchObject({
    type: 'run.completed',
    data: { traceId, status: 'completed', result: { result: 3 } },
  });
  const list = () => service.get(`/api/webhooks/deliveries?status=delivered&traceId=${traceId}`);
  const delivered = await waitFor(async () => (await list()).body.data.deliveries[0], {
    what: 'the delivery to be listed',
  });
  expect(delivered).toMatchObject({ traceId, type: 'run.completed', attempts: 1, lastStatus: 204 });
});
