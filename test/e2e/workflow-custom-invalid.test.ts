import type { SharedService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { listRuns } from '../support/runs';
import { useServiceAlone } from '../support/use-service';
import { waitFor } from '../support/wait';
import { askStep, customBody, fetchStep, sumStep, toolStep } from '../support/workflow-steps';

let service: SharedService;
let peer: StubPeer;
let temporal: TestClient;

beforeAll(async () => {
  [service, peer, temporal] = await Promise.all([
    useServiceAlone(),
    startStubPeer((_request, response) => sendJson(response, 200, {})),
    connectTemporal(),
  ]);
});

afterAll(async () => {
  await Promise.all([temporal.close(), peer.close(), service.stop()]);
});

const post = (body: unknown) => service.post('/api/workflow/execute-custom', body);
const fetch = (id: string, config = {}, more = {}) => fetchStep(id, `${peer.url}/called`, config, more);

/** Shows by a later run that no earlier request has started one. */
async function expectNothingRan(): Promise<void> {
  const runs = await listRuns(temporal.client, service.taskQueue);
  const answer = await post(customBody([sumStep('sum', 1, 1)]));
  const last = answer.headers.get('x-trace-id');
  const now = await waitFor(
    async () => {
      const found = await listRuns(temporal.client, service.taskQueue);
      return found.some(({ runId }) => runId === last) && found;
    },
    { what: 'the last run to be listed' },
  );
  expect(now).toHaveLength(runs.length + 1);
  expect(peer.requests).toEqual([]);
}

const withOptions = (options: unknown): object => customBody([fetch('a')], {}, { options });

const INPUTS = { text: 'no number', many: Array.from({ length: 1_001 }, () => 1), user: { name: 'Ada' } };

describe('a workflow is refused before anything runs for', () => {
  const ok = () => fetch('ok');

  test.each<[string, () => unknown, string | null, string, RegExp]>([
    ['two steps of one id', () => [ok(), ok()], 'ok', 'id', /two steps with the id "ok"/],
    ['an unknown tool', () => [ok(), toolStep('s', 'nobody')], 's', 'config.toolName', /"nobody"/],
    [
      'an unknown step type',
      () => [ok(), { id: 's', type: 'shell', config: {} }],
      's',
      'type',
      /must be one of api_call, llm_call, tool_execution/,
    ],
    ['a step without a type', () => [{ id: 's', config: {} }], 's', 'type', /must be one of/],
    [
      'a step without an id',
      () => [ok(), { type: 'llm_call', config: { prompt: 'x' } }],
      'steps[1]',
      'id',
      /required/,
    ],
    ['a step that is none', () => [ok(), 5], 'steps[1]', 'workflow.steps[1]', /./],
    ['an id of odd characters', () => [fetch('a b')], 'a b', 'id', /must begin with a letter/],
    ['a reserved id', () => [fetch('item')], 'item', 'id', /reserved name/],
    [
      'a reference to a later step',
      () => [fetch('s', { body: '{{ok.result}}' }), ok()],
      's',
      'config.body',
      /\{\{ok\.result\}\}.*does not come earlier/,
    ],
    [
      'a reference to nothing',
      () => [fetch('s', { body: '{{nobody.x}}' })],
      's',
      'config.body',
      /no step or input "nobody"/,
    ],
    [
      'an input that is not given',
      () => [fetch('s', { body: '{{input.age}}' })],
      's',
      'config.body',
      /no input "age"/,
    ],
    ['a part that an input lacks', () => [fetch('s', { body: '{{user.age}}' })], 's', 'config.body', /"age"/],
    ['an empty list', () => [], null, 'workflow.steps', /at least one step/],
    [
      'too many steps',
      () => Array.from({ length: 51 }, (_, n) => sumStep(`s${n}`, 1, 1)),
      null,
      'workflow.steps',
      /at most 50 steps/,
    ],
    [
      'a dependency that comes later',
      () => [fetch('s', {}, { dependsOn: ['ok'] }), ok()],
      's',
      'dependsOn',
      /"ok" does not come earlier/,
    ],
    ['a condition that cannot be read', () => [fetch('s', {}, { when: 'a = b' })], 's', 'when', /./],
    ['a wrong argument', () => [sumStep('s', 1, 'two')], 's', 'config.args.b', /finite number/],
    [
      'an argument that an input makes wrong',
      () => [sumStep('s', 1, '{{input.text}}')],
      's',
      'config.args.b',
      /finite number/,
    ],
    ['an address that is none', () => [fetchStep('s', 'nowhere')], 's', 'config.url', /http or https/],
    ['a missing address', () => [{ id: 's', type: 'api_call', config: {} }], 's', 'config.url', /required/],
    ['an unknown field', () => [fetch('s', { urll: 'x' })], 's', 'config.urll', /nearest is url$/],
    [
      'a timeout that is too long',
      () => [fetch('s', {}, { timeout: 30_001 })],
      's',
      'timeout',
      /TOOL_TIMEOUT_MS/,
    ],
    ['a timeout that is none', () => [fetch('s', {}, { timeout: 0 })], 's', 'timeout', /./],
    [
      'too many attempts',
      () => [fetch('s', {}, { retry: { maximumAttempts: 21 } })],
      's',
      'retry.maximumAttempts',
      /20/,
    ],
    [
      'a model not set up',
      () => [askStep('s', 'x', { model: 'hosted' })],
      's',
      'config.model',
      /OPENAI_API_KEY/,
    ],
    ['an empty prompt', () => [askStep('s', '')], 's', 'config.prompt', /empty/],
    [
      '1,001 items',
      () => [fetch('s', {}, { forEach: { items: INPUTS.many } })],
      's',
      'forEach.items',
      /at most 1000 items/,
    ],
    [
      '1,001 items from an input',
      () => [ok(), fetch('s', {}, { forEach: { items: '{{input.many}}' } })],
      's',
      'forEach.items',
      /1001 items; at most 1000/,
    ],
    [
      'items that are no list',
      () => [ok(), fetch('s', {}, { forEach: { items: '{{input.text}}' } })],
      's',
      'forEach.items',
      /must be a list/,
    ],
    [
      'a concurrency above the bound',
      () => [fetch('s', {}, { forEach: { items: [1], concurrency: 51 } })],
      's',
      'forEach.concurrency',
      /50/,
    ],
    ['an item outside forEach', () => [fetch('s', { body: '{{item}}' })], 's', 'config.body', /forEach/],
  ])('%s', async (_problem, steps, step, field, message) => {
    for (const dryRun of [false, true]) {
      const answer = await post({ ...customBody(steps() as unknown[], INPUTS), dryRun });
      expect(answer.body).toMatchObject({
        success: false,
        message: 'Workflow validation failed',
        error: 'Invalid step configuration',
        details: { step, field, message: expect.stringMatching(message) },
      });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('x-workflow-id')).toBeNull();
    }
  });

  test.each<[string, () => unknown, string]>([
    ['neither definition nor id', () => ({}), 'workflow'],
    ['both of them', () => ({ ...customBody([fetch('a')]), workflowId: 'fetch-each' }), 'workflowId'],
    ['a definition that is none', () => ({ workflow: 'x' }), 'workflow'],
    ['a definition without a name', () => ({ workflow: { steps: [fetch('a')] } }), 'workflow.name'],
    ['a definition without steps', () => ({ workflow: { name: 'x' } }), 'workflow.steps'],
    ['inputs that are no object', () => ({ ...customBody([fetch('a')]), inputs: [1] }), 'inputs'],
    ['options that are no object', () => withOptions(5_000), 'options'],
    ['a misspelt option', () => withOptions({ timeOut: 5_000 }), 'options.timeOut'],
    [
      'an option of other requests',
      () => withOptions({ timeout: 5_000, allow: { hosts: ['*'] } }),
      'options.allow',
    ],
    ['a time limit that is no number', () => withOptions({ timeout: '5000' }), 'options.timeout'],
    ['a time limit of zero', () => withOptions({ timeout: 0 }), 'options.timeout'],
    ['a time limit above the setting', () => withOptions({ timeout: 30_001 }), 'options.timeout'],
    [
      'a misspelt option for a stored workflow',
      () => ({ workflowId: 'fetch-each', inputs: { urls: [peer.url] }, options: { timeoutMs: 1 } }),
      'options.timeoutMs',
    ],
  ])('%s', async (_problem, body, field) => {
    const answer = await post(body());
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      message: 'Workflow validation failed',
      error: 'Invalid step configuration',
      details: { step: null, field, message: expect.any(String) },
    });
  });

  afterAll(expectNothingRan);
});

test('a dry run tells what would run with what is known filled in, and runs nothing', async () => {
  const answer = await post({
    ...customBody(
      [
        fetch('fetch', { params: { q: '{{input.user.name}}' } }),
        sumStep('sum', '{{fetch.result.status}}', 1, { dependsOn: [] }),
        askStep('ask', 'Greet {{user.name}} with {{previous_result}}', {}, { dependsOn: ['fetch'] }),
      ],
      INPUTS,
    ),
    dryRun: true,
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    success: true,
    message: 'Workflow is valid',
    data: {
      status: 'valid',
      name: 'Under test',
      steps: [
        {
          id: 'fetch',
          type: 'api_call',
          waitsFor: [],
          config: { url: `${peer.url}/called`, params: { q: 'Ada' } },
        },
        {
          id: 'sum',
          type: 'tool_execution',
          waitsFor: ['fetch'],
          config: { toolName: 'calculator', args: { operation: 'add', a: '{{fetch.result.status}}', b: 1 } },
        },
        {
          id: 'ask',
          type: 'llm_call',
          waitsFor: ['fetch', 'sum'],
          config: { prompt: 'Greet Ada with {{previous_result}}' },
        },
      ],
    },
  });
  expect(answer.headers.get('x-workflow-id')).toBeNull();
  await expectNothingRan();
});

test('a short text that names a long input many times is refused, and the service goes on', async () => {
  const prompt = '{{input.long}} '.repeat(6_000);
  for (const dryRun of [true, false]) {
    const answer = await post({
      ...customBody([askStep('s', prompt)], { long: 'x'.repeat(400_000) }),
      dryRun,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toMatchObject({ step: 's', field: 'config' });
  }
  expect((await service.get('/readyz')).status).toBe(200);
});

test('a dry run leaves out long values, so that a short request has no long answer', async () => {
  const steps = ['a', 'b', 'c'].map((id) =>
    askStep(id, '{{input.long}} '.repeat(10), { system: '{{input.who}}' }),
  );
  const inputs = { long: 'x'.repeat(500_000), who: 'Ada' };
  const answer = await post({ ...customBody(steps, inputs), dryRun: true });
  expect(answer.status).toBe(200);
  const config = {
    prompt: expect.stringMatching(/^left out: more than \d+ characters of JSON$/),
    system: 'Ada',
  };
  expect(answer.body.data.steps).toMatchObject([{ config }, { config }, { config }]);
  expect(answer.text.length).toBeLessThan(2_000);
});

test('a body of braces in place of a template is refused, and the service goes on', async () => {
  const headers = '{'.repeat(1_000_000);
  const answer = await post(customBody([fetch('s', { headers })]));
  expect(answer.status).toBe(400);
  expect(answer.body.details).toMatchObject({ step: 's', field: 'config.headers' });
  expect((await service.get('/readyz')).status).toBe(200);
});

test('a misspelt dryRun runs nothing', async () => {
  const body = { workflow: { name: 'x', steps: [{ id: 'a', type: 'llm_call', config: { prompt: 'hi' } }] } };
  const answer = await service.post('/api/workflow/execute-custom', { ...body, dry_run: true });
  expect(answer.status).toBe(400);
  expect(answer.body.details.message).toContain('dry_run');
  expect(answer.headers.get('x-workflow-id')).toBeNull();
});
