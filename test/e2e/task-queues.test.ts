import { answerOf, ask, classifiesAs, initializeAgent, playsAgent } from '../support/agent';
import { LEXICAL, newUser } from '../support/memories';
import { type ModelServer, says, saysJson, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import type { PartProcess } from '../support/process';
import { eventsOf, pidOf } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { callOf, registerBusyTool, STEP_KINDS } from '../support/step-kinds';
import { askStep, customBody, fetchStep, resultsOf, sumStep, toolStep } from '../support/workflow-steps';

const LIMIT_MS = 1_500;

let models: ModelServer;
let stage: Stage;
let api: Api;
let settings: Record<string, string>;

beforeAll(async () => {
  models = await startModelServer();
});
afterAll(() => models.close());

beforeEach(() => models.reset());

async function openModelStage(): Promise<void> {
  stage = await openStage();
  settings = { ...LEXICAL, ...hostedBy(models) };
}

async function health() {
  const { status, body } = await api.get('/api/health/detailed');
  return { status, body, workers: body.data?.services.workers };
}

interface Step {
  /** The first word of the step's line in the Temporal UI. */
  readonly what: string;
  readonly queue: string;
  readonly pid: number;
}

/** The process that did each regular step of a run, and the queue in which the step waited. */
async function stepsOf(workflowId: string): Promise<Step[]> {
  const scheduled = await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
  const started = await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_STARTED');
  return scheduled.map(({ eventId, userMetadata, activityTaskScheduledEventAttributes: step }) => {
    const start = started.find(
      ({ activityTaskStartedEventAttributes: of }) => String(of?.scheduledEventId) === String(eventId),
    );
    const [what = ''] = (JSON.parse(String(userMetadata?.summary?.data)) as string)
      .split(': ')
      .slice(1)
      .join(': ')
      .split(' ');
    const { identity } = start?.activityTaskStartedEventAttributes ?? {};
    return { what, queue: step?.taskQueue?.name ?? '', pid: pidOf(identity) };
  });
}

/** A run with a step of every kind. */
async function runAllKinds(): Promise<string> {
  const long = JSON.stringify(Array.from({ length: 3_000 }, (_, n) => ({ n })));
  const steps = [
    fetchStep('fetch', `${stage.peer.url}/now`),
    toolStep('busy', 'busy', { ms: 0 }),
    toolStep('read', 'json_reader', { jsonString: long, path: '$[2999].n' }),
    askStep('ask', 'hello'),
    sumStep('sum', 1, 2),
  ];
  const answer = await api.post('/api/workflow/execute-custom', customBody(steps));
  expect(resultsOf(answer)).toMatchObject({ busy: 'ok', read: { result: 2999 }, ask: 'ok', sum: 3 });
  return answer.headers.get('x-workflow-id') ?? '';
}

describe('with two workers that share the queues', () => {
  let first: PartProcess;
  let second: PartProcess;

  beforeAll(async () => {
    await openModelStage();
    [api, first, second] = await Promise.all([
      stage.api(settings),
      stage.worker({ ...settings, WORKER_QUEUES: 'workflows, io' }),
      stage.worker({ ...settings, WORKER_QUEUES: 'models,sandbox' }),
    ]);
    await registerBusyTool(api);
  });
  afterAll(() => stage.close());

  test('each step is done by the worker of its queue', async () => {
    const steps = await stepsOf(await runAllKinds());
    const { taskQueue } = stage;
    expect(steps.sort((a, b) => a.what.localeCompare(b.what))).toEqual([
      { what: 'api_call', queue: `${taskQueue}-io`, pid: first.pid },
      { what: 'busy', queue: `${taskQueue}-sandbox`, pid: second.pid },
      { what: 'hosted', queue: `${taskQueue}-models`, pid: second.pid },
      { what: 'json_reader', queue: `${taskQueue}-sandbox`, pid: second.pid },
    ]);
  });

  test('the steps of an agent, and of a batch, that ask a model are done by the worker for models', async () => {
    await initializeAgent(api);
    models.otherwise(playsAgent({ classify: classifiesAs('conversation'), answer: says('Good day.') }));
    const turn = await ask(api, 'Good day', { userId: newUser(), model: 'hosted' });
    expect((await answerOf(Promise.resolve(turn))).metadata.degraded).toEqual([]);
    const steps = await stepsOf(turn.headers.get('x-workflow-id') ?? '');
    expect(steps).toContainEqual({ what: 'recall', queue: stage.taskQueue, pid: first.pid });
    const asking = { what: 'hosted', queue: `${stage.taskQueue}-models`, pid: second.pid };
    expect(steps.filter(({ queue }) => queue !== stage.taskQueue)).toEqual([asking, asking]);

    await api.post('/api/intent-classifier/initialize', {});
    models.otherwise(saysJson({ type: 'conversation', confidence: 0.9 }));
    for (const [model, queue] of [
      ['hosted', '-models'],
      ['builtin', ''],
    ] as const) {
      const queries = [{ id: 'a', query: 'hello', options: { model } }];
      const batch = await api.post('/api/intent-classifier/classify-batch', { queries });
      expect(batch.status).toBe(200);
      const [part] = await stepsOf(batch.headers.get('x-workflow-id') ?? '');
      expect(part?.queue).toBe(stage.taskQueue + queue);
    }
  });

  test('health tells who polls what', async () => {
    const { status, workers } = await health();
    const queue = (kind: string, name: string) => ({ kind, taskQueue: name, pollers: 1, status: 'healthy' });
    expect([status, workers]).toEqual([
      200,
      {
        status: 'healthy',
        lastCheck: expect.any(String),
        responseTime: expect.any(Number),
        queues: [
          queue('workflows', stage.taskQueue),
          ...['io', 'sandbox', 'models'].map((kind) => queue(kind, `${stage.taskQueue}-${kind}`)),
        ],
        abnormalEnds: { count: 0 },
        endedRuns: { count: 0 },
      },
    ]);
  });
});

describe('where nobody polls a queue of steps', () => {
  beforeAll(async () => {
    await openModelStage();
    [api] = await Promise.all([
      stage.api(settings),
      stage.worker({ ...settings, WORKER_QUEUES: 'workflows' }),
    ]);
    await registerBusyTool(api);
  });
  afterAll(() => stage.close());

  test.each([
    ['io', 'Tool execution timeout', 'tools that wait for a network or a disk'],
    ['sandbox', 'Tool execution timeout', 'tools that run in the sandbox'],
    ['models', 'Workflow execution failed', 'model calls'],
  ] as const)('a call that needs %s says which queue it was, and of what kind', async (kind, title, work) => {
    const { status, body } = await callOf(kind, api, stage, { timeout: LIMIT_MS });
    expect([status, body.message]).toEqual([500, title]);
    expect(body.error).toContain(
      `no worker took it from the task queue "${stage.taskQueue}-${kind}" (${work})`,
    );
    if (kind !== 'models') expect(body.details.taskQueue).toBe(`${stage.taskQueue}-${kind}`);
    expect((await callOf('light', api, stage)).status).toBe(200);
  });

  test('a caller who stops waiting first is told, too', async () => {
    const hasty = await stage.api({ ...settings, WAIT_LIMIT_MS: '5000' });
    const { status, body } = await callOf('sandbox', hasty, stage, { timeout: 8_000 });
    expect([status, body.message]).toEqual([503, 'Run still in progress']);
    const queue = `"${stage.taskQueue}-sandbox" \\(tools that run in the sandbox\\)`;
    expect(body.error).toMatch(
      new RegExp(
        `No worker is polling the task queue ${queue}: none is running, or none has a free slot; the run continues`,
      ),
    );
  });

  test('health is degraded, and the service as a whole healthy', async () => {
    const { status, workers } = await health();
    expect([status, workers.status]).toEqual([200, 'degraded']);
    for (const kind of ['io', 'sandbox', 'models']) {
      expect(workers.reason).toContain(`"${stage.taskQueue}-${kind}"`);
      expect(workers.queues).toContainEqual({
        kind,
        taskQueue: `${stage.taskQueue}-${kind}`,
        pollers: 0,
        status: 'degraded',
      });
    }
    const { body } = await api.get('/api/health');
    expect(body.data).toMatchObject({ status: 'healthy', services: { workers: 'degraded' } });
  });

  test('rules take the place of the model in a conversation, and say why', async () => {
    const brief = await stage.api({ ...settings, LLM_TIMEOUT_MS: '500' });
    await brief.post('/api/memory-chat/initialize', {});
    await initializeAgent(brief);
    const ann = { userId: newUser(), sessionId: 's' };
    const [chat, turn, structured] = await Promise.all([
      brief.post('/api/memory-chat/chat', {
        ...ann,
        message: 'I keep bees',
        options: { model: 'hosted' },
      }),
      answerOf(ask(brief, 'Good day', { userId: newUser(), model: 'hosted' })),
      ask(brief, 'Good day', { userId: newUser(), model: 'hosted', responseSchema: { type: 'object' } }),
    ]);
    // No rule can answer by a schema.
    expect([structured.status, structured.body.code]).toEqual([500, 'MODEL_TIMEOUT']);
    const reason = `The model was not asked: no worker took it from the task queue "${stage.taskQueue}-models" (model calls)`;
    expect(chat.status).toBe(200);
    expect(chat.text).toContain(JSON.stringify(reason).slice(1, -1));
    expect(turn.metadata).toMatchObject({ provider: 'builtin', remembered: true });
    expect(turn.metadata.degraded).toEqual([
      { service: 'llm', reason, consequence: 'the built-in rules classified the query' },
      { service: 'llm', reason, consequence: 'the built-in rules answered' },
    ]);
  });

  test('with the defaults rules answer while the caller waits, choose no tools, and no turn waits twice', async () => {
    const talk = { userId: newUser(), sessionId: 's', message: 'I keep bees', options: { model: 'hosted' } };
    const chat = api.post('/api/memory-chat/chat', talk);
    const turn = ask(api, 'What is 20 plus 22?', { userId: newUser(), model: 'hosted' });
    const answers = await Promise.all([chat, turn]);
    for (const { headers } of answers) {
      const workflowId = headers.get('x-workflow-id') ?? '';
      expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT')).toHaveLength(1);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 500]);
    expect((await turn).body).toMatchObject({
      error: 'Model timeout',
      message: expect.stringContaining('no worker took it'),
      details: { provider: 'hosted', taskQueue: `${stage.taskQueue}-models` },
    });
  });

  test('another worker takes what waits', async () => {
    const waiting = Promise.all(STEP_KINDS.map((kind) => callOf(kind, api, stage)));
    await stage.worker({ ...settings, WORKER_QUEUES: 'io,sandbox,models' });
    expect((await waiting).map(({ status }) => status)).toEqual(STEP_KINDS.map(() => 200));
  });
});

describe('without a worker for workflows', () => {
  beforeAll(async () => {
    await openModelStage();
    [api] = await Promise.all([
      stage.api(settings),
      stage.worker({ ...settings, WORKER_QUEUES: 'io,models' }),
    ]);
  });
  afterAll(() => stage.close());

  test('the service is unhealthy', async () => {
    const { status, body } = await health();
    expect([status, body.details.failedServices]).toEqual([503, ['workers']]);
    expect(body.error).toContain(`no worker is polling "${stage.taskQueue}" (workflows and their memory)`);
  });
});
