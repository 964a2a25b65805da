import { type Service, startService } from '../support/service';
import { type HoldingPeer, startHoldingPeer } from '../support/holding-peer';
import { fetchStep, resultsOf, sumStep, toolStep } from '../support/workflow-steps';

let service: Service;
let peer: HoldingPeer;

beforeAll(async () => {
  [service, peer] = await Promise.all([startService({ MAX_WORKFLOWS: '3' }), startHoldingPeer()]);
});
afterAll(async () => {
  await peer.close();
  await service.stop();
});

interface Definition {
  readonly id?: string;
  readonly [field: string]: unknown;
}
const requested = new Set<string>();
function store(workflow: Definition) {
  if (workflow.id !== undefined) requested.add(encodeURIComponent(workflow.id));
  return service.post('/api/workflow/workflows', workflow);
}
const remove = (id: string) => service.send('DELETE', `/api/workflow/workflows/${id}`);
const run = (workflowId: string, inputs = {}) =>
  service.post('/api/workflow/execute-custom', { workflowId, inputs });
const definition = (id: string, b: number) => ({
  id,
  name: `Adds ${b}`,
  inputs: { a: { description: 'A number', default: 1 } },
  steps: [sumStep('sum', '{{input.a}}', b)],
});

/** A test may store as many as the service takes. */
afterEach(async () => {
  await Promise.all([...requested].map(remove));
  requested.clear();
});

test('a stored workflow is listed, told, run, replaced and removed', async () => {
  const stored = await store(definition('add-some', 5));
  expect(stored.status).toBe(201);
  expect(stored.body.message).toBe('Workflow stored successfully');
  const detail = await service.get('/api/workflow/workflows/add-some');
  expect(detail.body.data).toEqual(stored.body.data);
  expect(detail.body.data).toMatchObject({
    id: 'add-some',
    builtin: false,
    estimatedTime: 'unknown',
    requiredTools: ['calculator'],
    steps: [{ id: 'sum', name: 'sum', type: 'tool_execution' }],
  });
  const { body: list } = await service.get('/api/workflow/workflows');
  expect(list.data.workflows).toContainEqual(expect.objectContaining({ id: 'add-some', steps: 1 }));

  expect(resultsOf(await run('add-some'))).toEqual({ sum: 6 });
  expect(resultsOf(await run('add-some', { a: 10 }))).toEqual({ sum: 15 });
  expect((await store(definition('add-some', 7))).status).toBe(201);
  expect(resultsOf(await run('add-some', { a: 10 }))).toEqual({ sum: 17 });

  const removed = await remove('add-some');
  expect([removed.status, removed.body.data]).toEqual([200, { id: 'add-some' }]);
  expect((await run('add-some')).status).toBe(404);
  expect((await remove('add-some')).status).toBe(404);
});

test('a run under way goes on with what it began with, and a repeat of its request finds it', async () => {
  const steps = [fetchStep('held', `${peer.url}/held`), sumStep('sum', 1, 1)];
  await store({ id: 'removed', name: 'Removed', steps });
  const headers = { 'idempotency-key': 'of-the-removed' };
  const request = () => service.post('/api/workflow/execute-custom', { workflowId: 'removed' }, headers);
  const answer = request();
  await peer.arrived('/held');
  await store({ id: 'removed', name: 'Replaced', steps: [sumStep('other', 1, 1)] });
  await remove('removed');
  peer.release('/held');
  expect(Object.keys(resultsOf(await answer))).toEqual(['held', 'sum']);
  expect((await request()).body).toEqual((await answer).body);
});

test.each<[string, Definition, string | null, string]>([
  ['an odd id', definition('Not An Id', 1), null, 'id'],
  ['no id', { name: 'x', steps: [sumStep('a', 1, 1)] }, null, 'id'],
  ['no steps', { ...definition('empty', 1), steps: [] }, null, 'steps'],
  [
    'an unknown step type',
    { ...definition('odd', 1), steps: [{ id: 's', type: 'shell', config: {} }] },
    's',
    'type',
  ],
  ['an input not declared', { ...definition('odd', 1), inputs: {} }, 'sum', 'config.args'],
  [
    'two steps of one id',
    { ...definition('odd', 1), steps: [sumStep('s', 1, 1), sumStep('s', 1, 1)] },
    's',
    'id',
  ],
  [
    'a JSONPath query that does not parse',
    {
      ...definition('odd', 1),
      steps: [toolStep('s', 'json_reader', { jsonString: '{{input.a}}', path: '$.[' })],
    },
    's',
    'config.args.path',
  ],
  [
    'a path that no result has',
    { ...definition('odd', 1), steps: [sumStep('sum', 1, 1), sumStep('s', '{{sum.result.total}}', 1)] },
    's',
    'config.args',
  ],
  [
    'a status that is none',
    { ...definition('odd', 1), steps: [fetchStep('s', 'http://peer/', { expect: '2x' })] },
    's',
    'config.expect',
  ],
])('%s is not stored', async (_problem, workflow, step, field) => {
  const { status, body } = await store(workflow);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    success: false,
    message: 'Workflow validation failed',
    error: 'Invalid step configuration',
    details: { step, field, message: expect.any(String) },
  });
});

test('a step and an input called run or step stay what they are', async () => {
  const steps = [
    sumStep('run', 1, 1),
    fetchStep(
      'show',
      `${peer.url}/own?{{run.result}}-{{step.id}}-{{input.step.id}}`,
      {},
      { when: '{{step.id}} == 7' },
    ),
  ];
  await store({ id: 'own-names', name: 'Own names', inputs: { step: {} }, steps });
  expect(resultsOf(await run('own-names', { step: { id: 7 } }))).toMatchObject({
    run: 2,
    show: { data: { path: '/own?2-7-7' } },
  });
});

test('what comes with the service cannot be replaced or removed', async () => {
  for (const answer of [await store(definition('fetch-each', 1)), await remove('fetch-each')]) {
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('Validation error');
    expect(answer.body.details).toMatchObject({
      field: 'id',
      message: expect.stringContaining('comes with'),
    });
  }
  expect((await service.get('/api/workflow/workflows/fetch-each')).body.data.builtin).toBe(true);
});

test('there are no more than the setting allows, which the refusal names', async () => {
  const answers = await Promise.all(['w1', 'w2', 'w3', 'w4'].map((id) => store(definition(id, 1))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400]);
  const refused = answers.find(({ status }) => status === 400)!;
  expect(refused.body.details.message).toContain('MAX_WORKFLOWS');
});

test('the address of the JSON Schema is taken as in other definitions, and is not stored', async () => {
  const $schema = `${service.url}/api/workflow/schema`;
  const stored = await store({ $schema, ...definition('with-schema', 5) });
  expect(stored.status).toBe(201);
  const { body } = await service.get('/api/workflow/workflows/with-schema');
  expect(body.data).toEqual(stored.body.data);
  expect(body.data).not.toHaveProperty('$schema');
  expect(resultsOf(await run('with-schema'))).toEqual({ sum: 6 });
});
