import { readFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { Answer } from '../support/http';
import {
  type Behaviour,
  fails,
  hangs,
  type ModelServer,
  refusesKey,
  says,
  startModelServer,
} from '../support/model-server';
import { type Service, startService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { askStep, customBody, type RequestedStep, resultsOf, sumStep } from '../support/workflow-steps';

const KEY = 'sk-test-0123456789abcdefghijklmnop';

let hosted: ModelServer;
let local: ModelServer;
let service: Service;
let temporal: TestClient;
const answers: Answer[] = [];

beforeAll(async () => {
  [hosted, local, temporal] = await Promise.all([startModelServer(), startModelServer(), connectTemporal()]);
  service = await startService({
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: hosted.url,
    OPENAI_MODEL: 'hosted-default',
    LOCAL_LLM_BASE_URL: local.url,
    LOCAL_LLM_MODEL: 'local-default',
    LLM_MAX_ATTEMPTS: '1',
  });
});

afterAll(async () => {
  await Promise.all([hosted.close(), local.close(), temporal.close()]);
  await service.stop();
});

async function run(steps: readonly RequestedStep[], inputs = {}): Promise<Answer> {
  const answer = await service.post('/api/workflow/execute-custom', customBody(steps, inputs));
  answers.push(answer);
  return answer;
}

test('an llm_call sends its instructions, its prompt and its options, and tells who answered', async () => {
  hosted.script(says('Hello Ada', { usage: [21, 4] }));
  const answer = await run(
    [
      sumStep('sum', 1, 2),
      askStep('ask', 'Greet {{input.name}}: {{sum.result}}', {
        system: 'Be kind to {{name}}',
        temperature: 0.2,
        maxTokens: 50,
        topP: 0.9,
      }),
    ],
    { name: 'Ada' },
  );
  expect(answer.body.data.results.ask).toEqual({
    status: 'completed',
    result: 'Hello Ada',
    executionTime: expect.any(Number),
    provider: 'hosted',
    model: 'hosted-default',
    usage: { promptTokens: 21, completionTokens: 4, totalTokens: 25 },
  });
  const request = hosted.requests.at(-1)!;
  expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(request.body).toMatchObject({
    model: 'hosted-default',
    temperature: 0.2,
    top_p: 0.9,
    messages: [
      { role: 'system', content: 'Be kind to Ada' },
      { role: 'user', content: 'Greet Ada: 3' },
    ],
  });
  expect(JSON.stringify(request.body)).toContain('50');
});

test('a step may name another provider or a model, also by an input', async () => {
  local.script(says('near'));
  hosted.script(says('far'));
  const answer = await run(
    [askStep('near', 'x', { model: 'local' }), askStep('far', 'x', { model: '{{input.model}}' })],
    { model: 'some-model' },
  );
  expect(answer.body.data.results).toMatchObject({
    near: { result: 'near', provider: 'local', model: 'local-default' },
    far: { result: 'far', provider: 'hosted', model: 'some-model' },
  });
});

test('later steps take the text and the usage of an answer', async () => {
  hosted.script(says('17', { usage: [10, 5] }), says('done'));
  const answer = await run([
    askStep('ask', 'x'),
    sumStep('sum', '{{ask.usage.totalTokens}}', 1),
    askStep('again', '{{ask.result}}'),
  ]);
  expect(resultsOf(answer)).toEqual({ ask: '17', sum: 16, again: 'done' });
  expect(hosted.requests.at(-1)!.body.messages).toEqual([{ role: 'user', content: '17' }]);
});

test('the usage of all items of a forEach step is one sum', async () => {
  hosted.script(says('a', { usage: [1, 2] }), says('b', { usage: [10, 20] }));
  const answer = await run([
    askStep('each', 'about {{item}}', {}, { forEach: { items: ['x', 'y'], concurrency: 1 } }),
  ]);
  expect(answer.body.data.results.each).toMatchObject({
    result: ['a', 'b'],
    provider: 'hosted',
    model: 'hosted-default',
    usage: { promptTokens: 11, completionTokens: 22, totalTokens: 33 },
  });
});

test('a model that does not answer in time fails its step by the name of the limit', async () => {
  hosted.script(hangs());
  const answer = await run([askStep('ask', 'x', {}, { timeout: 400 })]);
  expect(answer.status).toBe(500);
  expect(answer.body.error).toMatch(/^Step 1 of 1 \(ask\) failed: .*400 ms/);
  expect(answer.body.details).toMatchObject({ failedStep: 'ask', code: 'MODEL_TIMEOUT' });
});

describe('the attempts at a model', () => {
  const asked = async (retry: object | undefined, ...behaviours: Behaviour[]): Promise<[Answer, number]> => {
    const before = hosted.requests.length;
    hosted.script(...behaviours);
    const answer = await run([askStep('ask', 'x', {}, retry === undefined ? {} : { retry })]);
    return [answer, hosted.requests.length - before];
  };

  test('are as many as the step says', async () => {
    const retry = { maximumAttempts: 3, initialInterval: 10 };
    const [failed, all] = await asked(retry, fails(500), fails(500), fails(500));
    expect([failed.status, all]).toEqual([500, 3]);
    expect(failed.body.details).toMatchObject({ failedStep: 'ask', code: 'MODEL_UNAVAILABLE' });
    const [succeeded, some] = await asked(retry, fails(500), says('at last'));
    expect([resultsOf(succeeded)['ask'], some]).toEqual(['at last', 2]);
  });

  test('are those of the service where it does not', async () => {
    const [, once] = await asked(undefined, fails(500));
    expect(once).toBe(1);
  });

  test('are one where the model refuses what is asked, as a stream and as a whole', async () => {
    const retry = { maximumAttempts: 5, initialInterval: 10 };
    const [refused, both] = await asked(retry, fails(400), fails(400));
    expect([refused.status, both]).toEqual([500, 2]);
    expect(hosted.requests.slice(-2).map(({ body }) => body.stream)).toEqual([true, undefined]);
  });
});

test('the key is in no answer, no log line, no history and no stored value', async () => {
  hosted.script(refusesKey());
  const refused = await run([askStep('ask', 'x'), askStep('again', '{{ask.result}}')]);
  expect(refused.status).toBe(500);
  const dry = await service.post('/api/workflow/execute-custom', {
    ...customBody([askStep('ask', 'x')]),
    dryRun: true,
  });
  for (const answer of [...answers, dry]) expect(answer.text).not.toContain(KEY);
  for (const { headers } of answers) {
    const id = headers.get('x-workflow-id');
    const history = historyToJSON(await temporal.client.workflow.getHandle(id!).fetchHistory());
    const decoded = history.replaceAll(/"data": ?"([A-Za-z0-9+/=]+)"/g, (_, data: string) => atob(data));
    expect(decoded).toContain('llm_call');
    expect(history + decoded).not.toContain(KEY);
  }
  await service.process.stop();
  expect(JSON.stringify(service.process.lines) + service.process.output()).not.toContain(KEY);
  expect(readFileSync(`${service.dataDir}/holdfast.db`, 'latin1')).not.toContain(KEY);
});
