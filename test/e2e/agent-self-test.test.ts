import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { usesTools } from '../../src/contracts/intent-types';
import { SELF_TEST_CASES } from '../../src/conversation/self-test-cases';
import { initializeAgent, playsAgent, textsIn } from '../support/agent';
import type { Answer } from '../support/http';
import { LEXICAL, countMemories } from '../support/memories';
import { fails, type ModelServer, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { listRuns } from '../support/runs';
import { type Service, startService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { waitFor } from '../support/wait';

const TURNS = SELF_TEST_CASES.length;
const CHECKED = SELF_TEST_CASES.filter(({ expectedContent }) => expectedContent !== undefined);

let temporal: TestClient;

beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

function expectHonest({ status, body }: Answer): void {
  expect(status).toBe(200);
  const { testResults, summary } = body.data;
  const right = testResults.filter(
    (one: { expectedIntent: string; actualIntent: string }) => one.expectedIntent === one.actualIntent,
  ).length;
  const confidences = testResults.flatMap(
    ({ confidence }: { confidence: number | null }) => confidence ?? [],
  );
  const sum = confidences.reduce((total: number, one: number) => total + one, 0);
  expect(summary).toEqual({
    totalTests: TURNS,
    successfulExecutions: testResults.filter(({ success }: { success: boolean }) => success).length,
    accuracy: right / TURNS,
    needModel: testResults.filter(({ needsModel }: { needsModel?: true }) => needsModel).length,
    averageConfidence: confidences.length === 0 ? 0 : sum / confidences.length,
    degraded: testResults.filter(
      ({ metadata }: { metadata?: { degraded: unknown[] } }) => metadata?.degraded.length !== 0,
    ).length,
  });
  for (const { success, problem } of testResults) expect(problem === undefined).toBe(success);
  expect(body.message).toBe(`Agent test completed with ${Math.round((100 * right) / TURNS)}% accuracy`);
  expect(
    testResults.map(({ query, description, expectedIntent, expectedContent }: Record<string, string>) => ({
      query,
      description,
      expectedIntent,
      expectedContent,
    })),
  ).toEqual(
    SELF_TEST_CASES.map(({ query, description, expectedIntent, expectedContent }) => ({
      query,
      description,
      expectedIntent,
      expectedContent: expectedContent?.what,
    })),
  );
}

/** Renames the files of the store of memories by their ending. */
function moveMemories({ dataDir }: Service, from: string, to: string): void {
  for (const file of ['memory.db', 'memory.db-wal', 'memory.db-shm']) {
    const path = join(dataDir, file + from);
    if (existsSync(path)) renameSync(path, join(dataDir, file + to));
  }
}

/** The user whom the turns of the self-test use. */
async function userOf(client: Client, workflowId: string): Promise<string> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return (JSON.parse(Buffer.from(input?.data ?? []).toString()) as { userId: string }).userId;
}

describe('with rules alone', () => {
  let service: Service;
  let answer: Answer;

  beforeAll(async () => {
    service = await startService(LEXICAL);
    await initializeAgent(service);
    answer = await service.post('/api/agent/test');
  });
  afterAll(() => service.stop());

  test('the figures and the message are what the results come to', () => {
    expectHonest(answer);
    const { testResults, summary } = answer.body.data;
    expect(summary).toMatchObject({ successfulExecutions: TURNS, needModel: 2, degraded: 0 });
    expect(answer.body.data).not.toHaveProperty('leftBehind');
    expect(summary.accuracy).toBeGreaterThanOrEqual(0.8);
    for (const result of testResults) {
      expect(result).toMatchObject({
        actualIntent: expect.any(String),
        confidence: expect.any(Number),
        success: true,
        response: expect.any(String),
        reasoning: expect.any(String),
        metadata: expect.objectContaining({ remembered: true, degraded: [] }),
      });
    }
  });

  test('each turn is a step whose input and output are those of a turn', async () => {
    const path = `/api/runs/${answer.headers.get('x-trace-id')}`;
    const { input, steps } = (await service.get(path)).body.data;
    expect(input.turns).toHaveLength(TURNS);
    expect(steps[0]).toMatchObject({ id: 'turn-1', kind: 'run' });
    const { body } = await service.get(`${path}/steps/turn-1`);
    expect(body.data.input).toMatchObject({ query: input.turns[0].query, userId: expect.any(String) });
    expect(body.data.input).not.toHaveProperty('messageIds');
    expect(body.data.output).toMatchObject({
      success: true,
      response: answer.body.data.testResults[0].response,
    });
  });

  test('what was calculated and remembered is right', () => {
    const responseTo = (words: string): string =>
      answer.body.data.testResults.find(({ query }: { query: string }) => query.includes(words)).response;
    expect(responseTo('125 divided by 5')).toContain('25');
    expect(responseTo('Multiply 12 by 8')).toContain('90');
    expect(responseTo('$.city')).toContain('Oslo');
    expect(responseTo('does my sister live')).toContain('Lisbon');
  });

  test('what takes a model is said, with what it would work on, and counts as no failure', () => {
    const needing = answer.body.data.testResults.filter(
      ({ needsModel }: { needsModel?: true }) => needsModel,
    );
    expect(needing.map(({ query }: { query: string }) => query)).toEqual(
      SELF_TEST_CASES.filter(({ needsModel }) => needsModel).map(({ query }) => query),
    );
    for (const { response, success } of needing) {
      expect(success).toBe(true);
      expect(response).toMatch(/You told me on .*3 cups of coffee a day.*\n.*OPENAI_API_KEY/);
    }
  });

  test('its turns were runs of their own, children of one run', async () => {
    const workflowId = answer.headers.get('x-workflow-id') ?? '';
    const runs = await waitFor(
      async () => {
        const known = await listRuns(temporal.client, service.taskQueue);
        return known.length === TURNS + 2 && known;
      },
      { what: 'the runs to be listed' },
    );
    const turns = runs.filter(({ type }) => type === 'agentTurn');
    expect(turns.map((run) => run.workflowId).sort()).toEqual(
      SELF_TEST_CASES.map((_, index) => `${workflowId}/turn-${index + 1}`).sort(),
    );
    for (const run of runs.filter(({ type }) => type !== 'agentSelfTest')) {
      expect([run.status.name, run.parentExecution?.workflowId]).toEqual(['COMPLETED', workflowId]);
    }
    const steps = await temporal.client.workflow.getHandle(workflowId).query<{ state: string }[]>('progress');
    expect(steps.map(({ state }) => state)).toEqual(SELF_TEST_CASES.map(() => 'completed'));
  });

  test('nothing that it said is left', async () => {
    const userId = await userOf(temporal.client, `${answer.headers.get('x-workflow-id')}/turn-1`);
    expect(userId).toMatch(/^self-test-/);
    await waitFor(
      async () => {
        const { episodic, semantic } = await countMemories(service, userId);
        return episodic + semantic === 0;
      },
      { what: 'the memories of the test to be gone' },
    );
  });

  test('another test finds what this one found', async () => {
    const again = await service.post('/api/agent/test');
    const verdicts = ({ body }: Answer) =>
      body.data.testResults.map(({ actualIntent, response }: Record<string, string>) => [
        actualIntent,
        response,
      ]);
    expect(verdicts(again)).toEqual(verdicts(answer));
  });
});

describe('with a model', () => {
  let models: ModelServer;
  let service: Service;

  beforeAll(async () => {
    models = await startModelServer();
    service = await startService({
      ...LEXICAL,
      ...hostedBy(models),
      LLM_MAX_ATTEMPTS: '1',
      CONVERSATION_MEMORY_TIMEOUT_MS: '2000',
    });
    await initializeAgent(service);
  });
  afterAll(async () => {
    await service.stop();
    await models.close();
  });

  test('that takes everything for talk, the accuracy is low and says so', async () => {
    models.otherwise(playsAgent({}));
    const answer = await service.post('/api/agent/test');
    expectHonest(answer);
    const talk = SELF_TEST_CASES.filter(({ expectedIntent }) => expectedIntent === 'conversation').length;
    expect(answer.body.data.summary.accuracy).toBe(talk / TURNS);
  });

  test('that answers wrongly, no turn with one right answer is a success, and why is told', async () => {
    models.otherwise(playsAgent({}));
    const answer = await service.post('/api/agent/test');
    expectHonest(answer);
    const { testResults, summary } = answer.body.data;
    const wrong = testResults.filter(({ success }: { success: boolean }) => !success);
    expect(wrong.map(({ query }: { query: string }) => query)).toEqual(CHECKED.map(({ query }) => query));
    for (const { problem, response, expectedContent } of wrong) {
      expect([response, problem]).toEqual(['Hello.', `the response does not say "${expectedContent}"`]);
    }
    expect(summary).toMatchObject({ successfulExecutions: TURNS - CHECKED.length, degraded: 0 });
  });

  test('when an operator cancels it, what its turns left is erased all the same', async () => {
    models.otherwise(playsAgent({}));
    const [, , third] = SELF_TEST_CASES;
    const reached = new Promise<void>((resolve) => {
      models.otherwise((request, response) => {
        if (textsIn(request).some((text) => text.includes(third?.query ?? ''))) resolve();
        else return playsAgent({})(request, response);
      });
    });
    const answering = service.post('/api/agent/test');
    await reached;
    const run = await waitFor(
      async () =>
        (await listRuns(temporal.client, service.taskQueue)).find(
          ({ type, status }) => type === 'agentSelfTest' && status.name === 'RUNNING',
        ),
      { what: 'the test to be listed' },
    );
    const userId = await userOf(temporal.client, `${run.workflowId}/turn-1`);
    expect((await countMemories(service, userId)).episodic).toBeGreaterThan(0);
    await temporal.client.workflow.getHandle(run.workflowId).cancel();
    const { status, body } = await answering;
    expect([status, body.error]).toEqual([500, 'Run cancelled']);
    expect(await countMemories(service, userId)).toEqual({ episodic: 0, semantic: 0 });
  });

  test('that fails, a turn that needs tools fails, and every other one is answered by rules and says so', async () => {
    models.otherwise(fails(500));
    const answer = await service.post('/api/agent/test');
    expectHonest(answer);
    const { testResults, summary } = answer.body.data;
    const failed = testResults.filter(({ metadata }: { metadata?: object }) => metadata === undefined);
    expect(failed.map(({ query }: { query: string }) => query)).toEqual(
      SELF_TEST_CASES.filter(({ expectedIntent }) => usesTools(expectedIntent)).map(({ query }) => query),
    );
    for (const { problem, success, actualIntent } of failed) {
      expect({ success, actualIntent }).toEqual({ success: false, actualIntent: null });
      expect(problem).toContain('it answered 500');
    }
    for (const { metadata } of testResults) {
      if (metadata === undefined) continue;
      expect(metadata.provider).toBe('builtin');
      const consequences = metadata.degraded.map(({ consequence }: { consequence: string }) => consequence);
      expect(consequences).toContain('the built-in rules classified the query');
      expect(consequences.length).toBeGreaterThan(1);
    }
    expect(summary).toMatchObject({
      successfulExecutions: TURNS - failed.length,
      needModel: 0,
      degraded: TURNS,
    });
  });

  test('an erasure that cannot be done keeps no report back, which says so', async () => {
    const last = SELF_TEST_CASES.at(-1)?.query ?? '';
    let isAway = false;
    models.otherwise((request, response) => {
      if (!isAway && textsIn(request).some((text) => text.includes(last))) {
        isAway = true;
        moveMemories(service, '', '.away');
      }
      return playsAgent({})(request, response);
    });
    try {
      const answer = await service.post('/api/agent/test');
      expectHonest(answer);
      const { leftBehind } = answer.body.data;
      expect(leftBehind).toEqual({
        userId: expect.stringMatching(/^self-test-/),
        reason: expect.stringMatching(/erase/),
      });
    } finally {
      moveMemories(service, '.away', '');
    }
  });
});
