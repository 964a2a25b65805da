import { initializeAgent } from '../support/agent';
import { collectEvents, openEvents, readEvents, type SentEvent } from '../support/event-stream';
import { LEXICAL, newUser } from '../support/memories';
import { type ModelServer, says, saysJson, startModelServer, streams } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { pauses, sendChoice } from '../support/model-servers/pausing';
import type { PartProcess } from '../support/process';
import { type Api, openStage, type Stage } from '../support/stage';
import { type AcceptedRun, endedRun, type RunIds, startRun } from '../support/stop-runs';
import { waitFor } from '../support/wait';
import { customBody } from '../support/workflow-steps';

let stage: Stage;
let model: ModelServer;
let api: Api;
let worker: PartProcess;
let settings: Record<string, string>;

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  settings = { ...LEXICAL, ...hostedBy(model) };
  [api, worker] = await Promise.all([stage.api(settings), stage.worker(settings)]);
  await initializeAgent(api);
});
beforeEach(() => model.reset());
afterAll(async () => {
  await stage.close();
  await model.close();
});

const STORY = customBody([{ id: 'story', type: 'llm_call', config: { prompt: 'Tell a story' } }]);

/** Starts a run and follows it. */
async function* start(path: string, body: object): AsyncGenerator<SentEvent> {
  const response = await openEvents(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  yield* readEvents(response);
}

test.each([
  ['the answer of a turn', '/api/agent/execute', 'answerTurn-1'],
  ['a step of a workflow', '/api/workflow/execute-custom', 'story'],
])('%s is heard while it is made, and whole at its end', async (_, path, step) => {
  const { behaviour, release } = pauses('Once upon a time, ', 'it was told.');
  const body =
    step === 'story'
      ? STORY
      : { query: 'Tell me a story', options: { userId: newUser(), sessionId: 's', maxTokens: 50 } };
  model.otherwise((request, response) => {
    const asksForText = request.body.stream === true;
    return (asksForText ? behaviour : says('{}'))(request, response);
  });
  const heard: SentEvent[] = [];
  let whole: SentEvent | undefined;
  for await (const event of start(path, body)) {
    if (event.event === 'message.delta') {
      heard.push(event);
      release();
    }
    if (event.event === 'step.completed' && event.data.step.id === step) whole = event;
  }
  expect(heard[0]).toEqual({
    event: 'message.delta',
    data: {
      type: 'message.delta',
      runId: expect.any(String),
      time: expect.any(String),
      step: expect.objectContaining({ id: step, kind: 'model', attempt: 1 }),
      offset: 0,
      text: 'Once upon a time, ',
    },
  });
  let said = '';
  for (const { data } of heard) {
    expect(data.offset).toBe(said.length);
    said += data.text;
  }
  expect('Once upon a time, it was told.'.startsWith(said)).toBe(true);
  expect(whole?.data.text).toBe('Once upon a time, it was told.');
});

test('a model that speaks word by word is heard so, by one who follows from the middle too', async () => {
  const words = Array.from({ length: 12 }, (_, index) => `word-${index} `);
  let heard = '';
  let second: Promise<string> | undefined;
  model.otherwise(async (request, response) => {
    if (request.body.stream !== true) return says('{}')(request, response);
    await streams([], { ending: 'hang' })(request, response);
    const send = sendChoice(request, response);
    for (const [index, content] of words.entries()) {
      send({ delta: { content } });
      const soFar = words.slice(0, index + 1).join('');
      await waitFor(() => heard === soFar, { what: `"${content}" to be heard` });
    }
    send({ delta: {}, finish_reason: 'stop' });
    response.end('data: [DONE]\n\n');
  });
  const textOf = async (path: string): Promise<string> => {
    let text = '';
    for await (const { event, data } of readEvents(await openEvents(`${api.url}${path}`)))
      if (event === 'message.delta' && data.offset === text.length) text += data.text;
    return text;
  };
  const began = performance.now();
  for await (const { event, data } of start('/api/workflow/execute-custom', STORY)) {
    if (event !== 'message.delta') continue;
    expect(data.offset).toBe(heard.length);
    heard += data.text;
    if (heard.includes(words[5] ?? '')) second ??= textOf(`/api/runs/${data.runId}/events`);
  }
  expect(await second).toBe(words.join(''));
  // Each word waits for the one before to be heard. Heartbeats would bring one in a second.
  expect(performance.now() - began).toBeLessThan(8_000);
});

test('an answer that breaks off is asked for once more, as a whole', async () => {
  model.script(streams(['Once upon '], { ending: 'cut' }), says('It was told.'));
  const { body } = await api.post('/api/workflow/execute-custom', STORY);
  expect(body.data.results.story.result).toBe('It was told.');
  expect(model.requests.map(({ body: request }) => request.stream === true)).toEqual([true, false]);
});

test('a turn behind another waits, is listed so, and one behind turns that have ended does not', async () => {
  const { behaviour, release } = pauses('Hello ', 'again');
  let asked = 0;
  model.otherwise((request, response) => {
    if (request.body.stream !== true) return says('{}')(request, response);
    asked += 1;
    return (asked === 1 ? behaviour : says('Hi'))(request, response);
  });
  const userId = newUser();
  const turn = (query: string): Promise<AcceptedRun> =>
    startRun(api, '/api/agent/execute', { query, options: { userId, sessionId: 's' } });
  const first = await turn('Tell me a story');
  await waitFor(() => asked === 1, { what: 'the first turn to be answered' });
  const second = await turn('And another one');
  expect([first.status, second.status]).toEqual(['running', 'waiting']);
  const listed = (status: string, { runId }: { readonly runId: string }): Promise<unknown> =>
    waitFor(
      async () => {
        const { body } = await api.get(`/api/runs?userId=${userId}&status=${status}`);
        const runs = body.data.runs as { runId: string; status: string }[];
        return runs.length === 1 && runs[0]?.runId === runId && runs[0].status === status;
      },
      { what: `one run to be listed as ${status}` },
    );
  const record = async ({ traceId, workflowId }: RunIds): Promise<{ status: string }> =>
    (await api.get(`/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`)).body.data;
  await listed('running', { runId: first.traceId });
  await listed('waiting', { runId: second.traceId });
  expect(await record(second)).toMatchObject({ status: 'waiting', closedAt: null });
  expect(await record(first)).toMatchObject({ status: 'running' });

  release();
  for (const run of [first, second]) {
    expect((await endedRun(api, run)).body.data).toMatchObject({ status: 'completed' });
  }
  const third = await turn('And now?');
  await endedRun(api, third);
  const waits = async ({ traceId }: RunIds): Promise<boolean> => {
    const events = await collectEvents(await openEvents(`${api.url}/api/runs/${traceId}/events`));
    return events.some(({ event }) => event === 'run.waiting');
  };
  expect([await waits(first), await waits(second), await waits(third)]).toEqual([false, true, false]);
});

test('the tokens of a run are those of its classification and its answer', async () => {
  const verdict = { type: 'conversation', confidence: 0.95, requiredTools: [], reasoning: 'a greeting' };
  model.otherwise((request, response) =>
    (request.body.stream === true ? says('Hi') : saysJson(verdict, { usage: [80, 20] }))(request, response),
  );
  const options = { userId: newUser(), sessionId: 's' };
  const run = await startRun(api, '/api/agent/execute', { query: 'Good morning to you', options });
  const { steps, usage } = (await endedRun(api, run)).body.data;
  expect(usage).toMatchObject({ promptTokens: 90, completionTokens: 25, totalTokens: 115, modelCalls: 2 });
  expect(steps).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'classifyTurn',
        tokens: expect.objectContaining({ totalTokens: 100 }),
      }),
    ]),
  );
});

test('the text of a worker that is killed is begun again by the next one', async () => {
  let asked = 0;
  model.otherwise((request, response) => {
    asked += 1;
    const text = asked === 1 ? 'Once upon a ' : 'It was told. ';
    return streams([text], { ending: asked === 1 ? 'hang' : 'complete' })(request, response);
  });
  const heard: unknown[] = [];
  let result: unknown;
  for await (const { event, data } of start('/api/workflow/execute-custom', STORY)) {
    if (event === 'run.completed') result = data.result.results.story.result;
    if (event !== 'message.delta') continue;
    heard.push([data.step.attempt, data.offset, data.text]);
    if (heard.length > 1) continue;
    await worker.kill();
    worker = await stage.worker(settings);
  }
  expect(heard[0]).toEqual([1, 0, 'Once upon a ']);
  expect(result).toBe('It was told. ');
  expect(asked).toBe(2);
});
