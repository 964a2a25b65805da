import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';
import { waitFor } from '../support/wait';

let service: SharedService;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

const ADD = { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } };

test('a schedule starts a run, names it, and is deleted', async () => {
  const { status } = await service.post('/api/schedules', {
    id: 'tour',
    spec: { cron: ['@yearly'] },
    action: { type: 'tool', request: ADD },
  });
  expect(status).toBe(201);
  await service.post('/api/schedules/tour/trigger', {});
  const traceId = await waitFor(
    async () => {
      const { body } = await service.get('/api/schedules/tour');
      const [run] = body.data.lastRuns as { traceId: string; status: string }[];
      return run?.status === 'completed' ? run.traceId : undefined;
    },
    { what: 'the run of the schedule' },
  );
  const { body } = await service.get(`/api/runs/${traceId}`);
  expect(body.data).toMatchObject({ type: 'executeTool', status: 'completed', result: { result: 5 } });
  expect((await service.send('DELETE', '/api/schedules/tour')).status).toBe(200);
  expect((await service.get('/api/schedules/tour')).status).toBe(404);
});
