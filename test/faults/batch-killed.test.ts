import { classifyBatch, initializeIntents, intentFigures } from '../support/intents';
import { type ModelServer, saysJson, startModelServer } from '../support/model-server';
import { localBy } from '../support/model-service';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const ANSWER = { type: 'conversation', confidence: 0.9 };
const PART = 25;

let stage: Stage;
let models: ModelServer;

beforeEach(async () => {
  [stage, models] = await Promise.all([openStage(), startModelServer()]);
});
afterEach(async () => {
  await models.close();
  await stage.close();
});

const queryOf = (body: { messages: readonly { content?: unknown }[] }): string =>
  String(body.messages.at(-1)?.content);

test('a worker killed in the middle of a batch is followed by another, which classifies what was not done', async () => {
  const env = localBy(models);
  const [api, first] = await Promise.all([stage.api(env), stage.worker(env)]);
  await initializeIntents(api);
  let holding = true;
  const held: (() => void)[] = [];
  models.otherwise(async (request, response) => {
    // The first part completes, and the second one waits until its worker is killed.
    const number = Number(/\d+/.exec(queryOf(request.body))?.[0]);
    if (holding && number >= PART + 5) await new Promise<void>((resolve) => held.push(resolve));
    if (!response.destroyed) await saysJson(ANSWER)(request, response);
  });
  const queries = Array.from({ length: 3 * PART }, (_, n) => ({
    id: `q${n}`,
    query: `message ${n}`,
    options: { timeout: 20_000 },
  }));
  const answer = classifyBatch(api, queries, { parallel: false });
  await waitFor(() => held.length > 0, { what: 'the second part to be under way' });
  await first.kill();
  holding = false;
  for (const release of held) release();
  await stage.worker(env);

  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(body.data.results.map(({ id }: { id: string }) => id)).toEqual(queries.map(({ id }) => id));
  expect(body.data.summary).toMatchObject({ successfulClassifications: 75, failedClassifications: 0 });

  const asked = new Map<string, number>();
  for (const { body: sent } of models.requests) asked.set(queryOf(sent), (asked.get(queryOf(sent)) ?? 0) + 1);
  const counts = queries.map(({ query }) => asked.get(query) ?? 0);
  expect(counts.slice(0, PART)).toEqual(Array.from({ length: PART }, () => 1));
  expect(counts.slice(2 * PART)).toEqual(Array.from({ length: PART }, () => 1));
  expect(Math.max(...counts)).toBe(2);

  expect(await intentFigures(api)).toMatchObject({
    totalClassifications: 75,
    intentDistribution: { conversation: 75 },
  });
});
