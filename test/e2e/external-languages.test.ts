import { randomUUID } from 'node:crypto';
import { describeWithLanguages } from '../support/other-workers/languages';
import type { PartProcess } from '../support/process';
import { type Service, startService } from '../support/service';

describeWithLanguages('a worker in', (start) => {
  const queue = `other-${randomUUID()}`;
  let service: Service;
  let worker: PartProcess;

  beforeAll(async () => {
    [service, worker] = await Promise.all([startService({ EXTERNAL_QUEUES: queue }), start(queue)]);
    const parameters = { orderId: 'string', cents: { type: 'integer', default: 100 } };
    const charge = { taskQueue: queue, name: 'Charge', args: 'list', heartbeatMs: 1_000 };
    for (const tool of [
      { name: 'refund', activity: { taskQueue: queue, name: 'Refund' } },
      { name: 'charge', activity: charge, repeatable: true, timeoutMs: 60_000 },
      { name: 'ship', workflow: { taskQueue: queue, type: 'Ship' } },
    ])
      expect((await service.post('/api/tools/register', { parameters, ...tool })).status).toBe(201);
  });
  afterAll(async () => {
    await service.stop();
    await worker.kill();
  });
  const run = (toolName: string, args: object) => service.post('/api/tools/execute', { toolName, args });

  test('runs activities with the types of their parameters, and workflows', async () => {
    expect((await run('refund', { orderId: '7' })).body.data.result).toEqual({ refundId: '7-100' });
    expect((await run('ship', { orderId: '7' })).body.data.result).toEqual({ shipped: '7' });
  });

  test('an application error passes on its message and type', async () => {
    const { status, body } = await run('refund', { orderId: '7', cents: 2_000 });
    expect([status, body.error, body.details.errorType]).toEqual([500, 'The amount is too high', 'TooHigh']);
  });

  test('is killed in the middle of a call, which another one makes again', async () => {
    const answer = run('charge', { orderId: '7', cents: 5 });
    await worker.line('charging');
    await worker.kill();
    worker = await start(queue);
    expect((await answer).body.data.result).toEqual({ orderId: '7', cents: 5, attempt: 2 });
  });
});
