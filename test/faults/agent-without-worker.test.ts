import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, ask, asked, classifiesAs, initializeAgent, playsAgent } from '../support/agent';
import { LEXICAL, newUser } from '../support/memories';
import { contentsOf, historyOf, initializeMemoryChat } from '../support/memory-chat';
import { hangs, type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const MODEL_TIMEOUT_MS = 2_000;
/** Longer than a classification may take, including its time in the queue. */
const LONG_MS = 22_000;
/** Longer than an answer may take with this limit, including the margin for the rules. */
const LONG_FOR_AN_ANSWER_MS = MODEL_TIMEOUT_MS + 7_000;

let models: ModelServer;
let stage: Stage;
let api: Api;
let settings: Record<string, string>;

beforeAll(async () => {
  models = await startModelServer();
  stage = await openStage();
  settings = {
    ...LEXICAL,
    ...hostedBy(models),
    LLM_TIMEOUT_MS: String(MODEL_TIMEOUT_MS),
    CLASSIFY_FIRST: 'model',
    WAIT_LIMIT_MS: '90000',
  };
  api = await stage.api(settings);
  await initializeAgent(api);
  await initializeMemoryChat(api);
});
afterAll(async () => {
  await stage.close();
  await models.close();
});
beforeEach(() => models.reset());

/** Kills the worker when the model is asked for `purpose`, waits this long, and starts another worker. */
async function awayAt(purpose: 'classify' | 'answer', milliseconds: number, options: object = {}) {
  const worker = await stage.worker(settings);
  models.otherwise(playsAgent({ [purpose]: hangs() }));
  const turn = ask(api, 'Good day', { userId: newUser(), model: 'hosted', ...options });
  await waitFor(() => asked(models.requests, purpose).length > 0, {
    what: `the model to be asked to ${purpose}`,
  });
  await worker.kill();
  models.otherwise(playsAgent({ classify: classifiesAs('conversation'), answer: says('Good day.') }));
  await delay(milliseconds);
  const next = await stage.worker(settings);
  try {
    return await turn;
  } finally {
    await next.stop();
  }
}

test('a turn that no worker classified for longer than that may take is classified by the next one', async () => {
  const { response, intent, metadata } = await answerOf(awayAt('classify', LONG_MS));
  expect([response, intent.type]).toEqual(['Good day.', 'conversation']);
  expect(metadata).toMatchObject({ degraded: [], remembered: true });
});

test('a turn that no worker answered until the time of the model was over is answered by rules', async () => {
  const { response, metadata } = await answerOf(awayAt('answer', LONG_FOR_AN_ANSWER_MS));
  expect(response).not.toBe('');
  expect(metadata).toMatchObject({ provider: 'builtin', remembered: true });
  expect(metadata.degraded).toEqual([
    {
      service: 'llm',
      reason: expect.stringMatching(
        /^The model was not asked: no worker took it|^The model did not answer within/,
      ),
      consequence: 'the built-in rules answered',
    },
  ]);
});

test('one that has to be answered by a schema fails then, and what the user said is remembered', async () => {
  const userId = newUser();
  const responseSchema = { type: 'object' };
  const { status, body } = await awayAt('answer', LONG_FOR_AN_ANSWER_MS, { userId, responseSchema });
  expect([status, body.code]).toEqual([500, 'MODEL_TIMEOUT']);
  expect(contentsOf(await historyOf(api, userId), 'user')).toEqual(['Good day']);
  expect(contentsOf(await historyOf(api, userId), 'assistant')).toEqual([]);
});
