import { ask, initializeAgent, playsAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { newUser } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { hangs, says } from '../support/model-server';
import { type ModelService, startModelService } from '../support/model-service';

const LIMIT = 20_000;
// One answer of the model that uses up nearly all of a limit.
const COSTLY = { usage: [LIMIT - 100, 5] as const };

let service: ModelService;

beforeAll(async () => {
  service = await startModelService({
    OPENAI_MODEL: 'gpt-4o-mini',
    BUDGET_PERIOD: 'month',
    LLM_TIMEOUT_MS: '240000',
    WAIT_LIMIT_MS: '240000',
    BUDGET_USER_MAX_TOKENS: String(LIMIT),
    BUDGET_SESSION_MAX_COST_USD: '1',
  });
  await initializeAgent(service);
  await initializeMemoryChat(service);
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

const turn = (userId: string, sessionId: string, query = 'How are you?'): Promise<Answer> =>
  ask(service, query, { userId, sessionId });

test('turns of a user, in whatever session, end where the user has used up the tokens of the month', async () => {
  const userId = newUser();
  service.hosted.otherwise(playsAgent({ answer: says('Well.', COSTLY) }));
  const first = await turn(userId, 'one');
  expect([first.status, first.body.data.usage.modelCalls]).toEqual([200, 2]);
  const second = await turn(userId, 'two');
  expect([second.status, second.body.error, second.body.details]).toMatchObject([
    500,
    'Budget exhausted',
    { limit: 'maxTokens', owner: 'user', period: 'month' },
  ]);
  const chatted = await chat(service, { userId, sessionId: 'three', message: 'How are you?' });
  expect([chatted.status, chatted.body.error]).toEqual([500, 'Budget exhausted']);
  expect((await turn(newUser(), 'one')).status).toBe(200);
});

test('calls that are cut off use up the limit too', async () => {
  const userId = newUser();
  service.hosted.otherwise(playsAgent({ answer: hangs() }));
  const owners: unknown[] = [];
  // The prompt of each call is a tenth of the limit.
  const query = `How are you? ${'well '.repeat(1_900)}`;
  while (owners.length < 15 && !owners.includes('user')) {
    const { body } = await ask(service, query, { userId, budget: { maxDurationMs: 1_500 } });
    owners.push(body.details?.owner);
  }
  expect(owners[0]).toBeUndefined();
  expect(owners).toContain('user');
});

test('the turns of a self-test share the limits of a user too', async () => {
  service.hosted.otherwise(playsAgent({ answer: says('Well.', COSTLY) }));
  const { status, body } = await service.post('/api/agent/test', {});
  const problems = (body.data.testResults as { problem?: string }[]).map(({ problem = '' }) => problem);
  expect([status, problems.filter((problem) => problem.includes('budget')).length]).toEqual([
    200,
    problems.length - 1,
  ]);
});

test('turns at once do not exceed the limit together', async () => {
  const userId = newUser();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const answer = says('Well.');
  service.hosted.otherwise(
    playsAgent({
      async answer(request, response) {
        await released;
        await answer(request, response);
      },
    }),
  );
  // Each sets aside its prompt and an answer of 4,096 tokens, of which the month has four, so some are refused while the
  // others wait for the model.
  const turns = Array.from({ length: 10 }, async (_, n) => {
    const { status } = await turn(userId, `session-${n}`);
    if (status === 500) release();
    return status;
  });
  const statuses = new Set(await Promise.all(turns));
  expect([...statuses].sort()).toEqual([200, 500]);
});

test('an erasure removes what its user has spent', async () => {
  const userId = newUser();
  service.hosted.otherwise(playsAgent({ answer: says('Well.', COSTLY) }));
  await turn(userId, 'one');
  expect((await turn(userId, 'one')).status).toBe(500);
  const { status } = await service.send('DELETE', `/api/memory/clear/${userId}`);
  expect(status).toBe(200);
  expect((await turn(userId, 'one')).status).toBe(200);
});

test('the built-in rules take nothing from it', async () => {
  const userId = newUser();
  service.hosted.otherwise(playsAgent({ answer: says('Well.', COSTLY) }));
  await turn(userId, 'one');
  const { status } = await ask(service, 'What is 2 plus 3?', { userId, model: 'builtin' });
  expect(status).toBe(200);
});

test('a limit of costs of sessions needs a price', async () => {
  const { status, body } = await ask(service, 'Hello.', { userId: newUser(), model: 'local' });
  expect([status, body.details.field]).toEqual([400, 'options.model']);
});
