import { calculator } from '../support/calls';
import { figures } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const WAIT_LIMIT_MS = 1_500;

let stage: Stage;
let api: Api;

beforeEach(async () => {
  stage = await openStage();
  api = await stage.api({ WAIT_LIMIT_MS: String(WAIT_LIMIT_MS) });
});

afterEach(() => stage.close());

test('without a worker the caller hears so after the limit, and the run is done once there is one', async () => {
  const started = performance.now();
  const { status, headers, body } = await api.post('/api/tools/execute', calculator('add', 20, 22));
  const waited = performance.now() - started;

  expect(waited).toBeGreaterThanOrEqual(WAIT_LIMIT_MS - 50);
  expect(status).toBe(503);
  const traceId = headers.get('x-trace-id') ?? '';
  const workflowId = headers.get('x-workflow-id') ?? '';
  expect(body).toMatchObject({
    success: false,
    message: 'Run still in progress',
    error: expect.stringMatching(new RegExp(`WAIT_LIMIT_MS.*No worker is polling.*${stage.taskQueue}`)),
    details: { traceId, workflowId },
  });

  const lookup = () => api.get(`/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`);
  expect((await lookup()).body.data).toMatchObject({ status: 'running', closedAt: null });

  await stage.worker();
  const ended = await waitFor(
    async () => {
      const answer = await lookup();
      return answer.body.data.closedAt !== null && answer;
    },
    { what: 'the run to end' },
  );
  expect(ended.body.data).toMatchObject({
    status: 'completed',
    result: { result: 42, toolName: 'calculator' },
  });
  expect(await figures(api)).toEqual({ totalExecutions: 1, successfulExecutions: 1, failedExecutions: 0 });
});
