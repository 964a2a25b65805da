import { calculator } from '../support/calls';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

test('a token reads its run and no other, also where callers are not authenticated', async () => {
  const run = async (): Promise<string> =>
    (await service.post('/api/tools/execute', calculator('add', 1, 2))).headers.get('x-trace-id')!;
  const [traceId, other] = [await run(), await run()];
  const { status, body } = await service.post(`/api/runs/${traceId}/token`);
  expect(status).toBe(200);
  const { token } = body.data;
  const found = await service.get(`/api/runs/${traceId}?token=${token}`);
  expect([found.status, found.body.data.result.result]).toEqual([200, 3]);
  expect(found.headers.get('referrer-policy')).toBe('no-referrer');
  for (const path of [`${other}?token=${token}`, `${traceId}?token=${token}x`, `${traceId}/events?token=`])
    expect((await service.get(`/api/runs/${path}`)).status).toBe(401);
  expect((await service.get(`/api/runs/${traceId}/wait?token=${token}`)).status).toBe(400);
  expect(
    (await service.post(`/api/runs/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}/token`)).status,
  ).toBe(404);
});

test('a body that a page sends without a preflight starts no run', async () => {
  for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']) {
    const sent = await service.post('/api/tools/execute', calculator('add', 1, 2), {
      'content-type': type,
      origin: 'http://localhost:5173',
    });
    expect([type, sent.status, sent.headers.has('x-trace-id')]).toEqual([type, 415, false]);
  }
});
