import { createHmac } from 'node:crypto';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

const SECRET = 'a-secret-of-some-length';

test('a hook starts its workflow by a signed request, and by no other', async () => {
  const config = { toolName: 'calculator', args: { operation: 'add', a: '{{body.amount}}', b: 1 } };
  const workflow = {
    id: 'tour-payment',
    name: 'Payment',
    inputs: { body: { type: 'object', description: 'What was sent' } },
    steps: [{ id: 'add', type: 'tool_execution', config }],
  };
  expect((await service.post('/api/workflow/workflows', workflow)).status).toBe(201);
  const hook = { workflowId: 'tour-payment', verify: 'github', secret: SECRET };
  const { status, body: stored } = await service.send('PUT', '/api/hooks/tour', hook);
  expect([status, stored.data.path]).toEqual([200, '/hooks/tour']);
  const text = '{ "amount": 41 }';
  const signature = createHmac('sha256', SECRET).update(text).digest('hex');
  const deliver = (signed: string): Promise<Response> =>
    fetch(`${service.url}/hooks/tour`, {
      method: 'POST',
      body: text,
      headers: { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signed}` },
    });
  expect((await deliver('0'.repeat(64))).status).toBe(401);
  const answer = await deliver(signature);
  expect(answer.status).toBe(202);
  const { data } = (await answer.json()) as { data: { traceId: string } };
  const { body } = await service.get(`/api/runs/${data.traceId}/wait?timeout=30`);
  expect(body.data.result.results.add.result).toBe(42);
});
