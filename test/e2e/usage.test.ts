import { ask, initializeAgent, playsAgent } from '../support/agent';
import { newUser } from '../support/memories';
import { says } from '../support/model-server';
import { type ModelService, startModelService } from '../support/model-service';
import { waitFor } from '../support/wait';

let service: ModelService;

beforeAll(async () => {
  service = await startModelService({ OPENAI_MODEL: 'gpt-4o-mini' });
  await initializeAgent(service);
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

interface Row {
  readonly name: string;
  readonly runs: number;
  readonly failedRuns: number;
  readonly totalTokens: number;
  readonly costUsd: number;
  readonly userId?: string;
}

async function usage(query = ''): Promise<{ total: Row; rows: Row[]; countedUntil: string | null }> {
  const { status, body } = await service.get(`/api/usage${query}`);
  expect(status).toBe(200);
  return body.data;
}

test('sums up what runs used, once they have ended', async () => {
  const userId = newUser();
  service.hosted.otherwise(playsAgent({ answer: says('Well.', { usage: [1_000, 200] }) }));
  const { body } = await ask(service, 'How are you?', { userId });
  const { promptTokens, completionTokens, costUsd, modelCalls } = body.data.usage as Record<string, number>;
  const ofTurn = { totalTokens: Number(promptTokens) + Number(completionTokens), costUsd: Number(costUsd) };
  expect(modelCalls).toBe(2);
  const prompt = {
    workflow: { name: 'one', steps: [{ id: 'a', type: 'llm_call', config: { prompt: 'Say it.' } }] },
  };
  const custom = await service.post('/api/workflow/execute-custom', prompt);
  expect(custom.status).toBe(200);
  const broken = await service.post('/api/tools/execute', {
    toolName: 'calculator',
    args: { operation: 'divide', a: 1, b: 0 },
  });
  expect(broken.status).toBe(500);

  await waitFor(async () => (await usage()).total.runs === 3, { what: 'the three runs to be counted' });
  const { total, rows, countedUntil } = await usage('?by=model');
  expect(total).toMatchObject({ runs: 3, failedRuns: 1 });
  expect(rows).toMatchObject([{ name: 'gpt-4o-mini', runs: 2, failedRuns: 0 }]);
  expect(rows[0]?.totalTokens).toBe(total.totalTokens);
  expect(Date.parse(countedUntil ?? '')).toBeGreaterThan(Date.now() - 60_000);

  const ofUser = await usage(`?userId=${userId}`);
  expect(ofUser.rows).toMatchObject([{ runs: 1, totalTokens: ofTurn.totalTokens, costUsd: ofTurn.costUsd }]);
  expect(ofTurn.costUsd).toBeGreaterThan(0);
  const byAgent = await usage('?by=agent');
  expect(byAgent.rows).toMatchObject([{ name: 'holdfast', runs: 1, totalTokens: ofTurn.totalTokens }]);
  const byUser = await usage('?by=user');
  expect(byUser.rows).toMatchObject([{ userId, runs: 1, totalTokens: ofTurn.totalTokens }]);

  expect((await service.send('DELETE', `/api/memory/clear/${userId}`)).status).toBe(200);
  expect((await usage(`?userId=${userId}`)).rows).toEqual([]);
  expect((await usage('?by=user')).rows).toEqual([]);
  // What the user's run cost stays in the sums that name no user.
  expect((await usage('?by=model')).rows[0]?.totalTokens).toBe(total.totalTokens);
});

test('turns of a named agent are summed up under its id', async () => {
  const clerk = { name: 'Clerk', description: 'Sells', instructions: 'Be brief.' };
  expect((await service.send('PUT', '/api/agents/clerk', clerk)).status).toBe(200);
  service.hosted.otherwise(playsAgent({}));
  expect((await ask(service, 'How are you?', { userId: newUser(), agent: 'clerk' })).status).toBe(200);
  const rows = await waitFor(
    async () => {
      const found = (await usage('?by=agent')).rows;
      return found.some(({ name }) => name === 'clerk') ? found : undefined;
    },
    { what: 'the turn to be counted' },
  );
  expect(rows.find(({ name }) => name === 'clerk')).toMatchObject({ runs: 1 });
});

test.each([
  ['?by=week', 'by'],
  ['?since=2026-02-30', 'since'],
  ['?since=2026-11-28&until=2026-11-01', 'since'],
  ['?since=2020-01-01', 'since'],
  ['?limit=0', 'limit'],
])('%s is refused by its field %s', async (query, field) => {
  const { status, body } = await service.get(`/api/usage${query}`);
  expect([status, body.details.field]).toEqual([400, field]);
});
