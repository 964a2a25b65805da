import type { Answer } from '../support/http';
import { callsTools, type ModelServer, says, startModelServer } from '../support/model-server';
import { fetches, hostedBy, outcomesIn } from '../support/model-service';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const LIMIT_MS = 1_500;

let models: ModelServer;
let stage: Stage;
let api: Api;
let settings: Record<string, string>;

beforeAll(async () => {
  [models, stage] = await Promise.all([startModelServer(), openStage()]);
  settings = hostedBy(models);
  [api] = await Promise.all([
    stage.api(settings),
    stage.worker({ ...settings, WORKER_QUEUES: 'workflows,models' }),
  ]);
});
beforeEach(() => models.reset());
afterAll(async () => {
  await stage.close();
  await models.close();
});

const startIo = () => stage.worker({ ...settings, WORKER_QUEUES: 'io' });
const sends = (path: string) => callsTools([fetches(stage.peer.url + path, { method: 'POST' })]);

/** A planned run whose one call fails, so that it fails. */
function plan(): Promise<Answer> {
  const allow = { hosts: [new URL(stage.peer.url).host] };
  return api.post('/api/tools/mcp', { query: 'reach the goal', options: { allow, timeout: LIMIT_MS } });
}

function pathOf({ headers }: Answer, end: string): string {
  const workflowId = encodeURIComponent(headers.get('x-workflow-id') ?? '');
  return `/api/runs/${headers.get('x-trace-id')}${end}?workflowId=${workflowId}`;
}

/** Runs it again from its second plan, which asks for the same call, and waits for its end. */
async function planAgain(first: Answer, path: string) {
  models.reset();
  models.script(sends(path), says('Reached.'));
  const again = await api.post(pathOf(first, '/rerun'), { fromStep: 'plan-2' });
  expect([again.status, again.body.data?.reused]).toEqual([202, ['1']]);
  const { body } = await waitFor(
    async () => {
      const answer = await api.get(pathOf(again, '/wait'));
      return answer.status === 200 ? answer : undefined;
    },
    { what: 'the rerun to end' },
  );
  return body.data;
}

test('a call that no worker took is sent when the new plan asks for it again', async () => {
  models.script(sends('/untaken'), says('I cannot.'));
  const first = await plan();
  const reason = `no worker took it from the task queue "${stage.taskQueue}-io"`;
  expect([first.status, first.body.details.taskQueue]).toEqual([500, `${stage.taskQueue}-io`]);
  const read = models.requests[1]?.body.messages;
  expect(outcomesIn(models.requests[1])[0]).toContain('no worker took it from the task queue');

  const io = await startIo();
  const again = await planAgain(first, '/untaken');
  expect(models.requests[0]?.body.messages).toEqual(read);
  expect([again.status, again.result.answer]).toEqual(['completed', 'Reached.']);
  expect(again.result.errors).toEqual([
    {
      stepNumber: 1,
      toolName: 'api_call',
      code: 'TOOL_TIMEOUT',
      error: expect.stringContaining(reason),
    },
  ]);
  expect(stage.peer.count('/untaken')).toBe(1);
  await io.stop();
});

test('a call whose worker was lost is not sent again, and the model reads why', async () => {
  const io = await startIo();
  models.script(sends('/held/lost'), says('I cannot.'));
  const failing = plan();
  await stage.peer.arrived('/held/lost');
  await io.kill();
  const first = await failing;
  expect(first.status).toBe(500);
  const read = models.requests[1]?.body.messages;
  expect(outcomesIn(models.requests[1])[0]).toContain('as it may have had its effect');

  stage.peer.release('/held/lost');
  const next = await startIo();
  await planAgain(first, '/held/lost');
  expect(models.requests[0]?.body.messages).toEqual(read);
  expect(outcomesIn(models.requests[1])[1]).toMatch(/made before in this turn.*it may have had its effect/);
  expect(stage.peer.count('/held/lost')).toBe(1);
  await next.stop();
});
