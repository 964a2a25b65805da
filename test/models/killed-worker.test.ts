import { initializeAgent, ask } from '../support/agent';
import { openEvents, readEvents } from '../support/event-stream';
import { LEXICAL, newUser } from '../support/memories';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';
import { describeWithModels, type RealModel, SETTINGS, startRealModel } from './support/real-model';

describeWithModels('a worker that is killed while a model answers', () => {
  let model: RealModel;
  let stage: Stage;

  beforeAll(async () => {
    model = await startRealModel();
    stage = await openStage();
  });
  afterAll(async () => {
    await Promise.all([stage?.close(), model?.close()]);
  });

  test('leaves the turn to the next worker, which asks again', async () => {
    const env = { ...LEXICAL, ...SETTINGS, LOCAL_LLM_BASE_URL: model.url };
    const [api, worker] = await Promise.all([stage.api(env), stage.worker(env)]);
    await initializeAgent(api);
    const query = 'Tell me a long story about the sea';
    const started = await ask(api, query, { userId: newUser(), maxTokens: 150 }, { prefer: 'respond-async' });
    const run = `/api/runs/${started.headers.get('x-trace-id')}`;
    for await (const { event } of readEvents(await openEvents(`${api.url}${run}/events`)))
      if (event === 'message.delta') break;
    const before = model.exchanges.length;
    await worker.kill();
    await stage.worker(env);
    const { body } = await waitFor(
      async () => {
        const answer = await api.get(run);
        return answer.body.data.status === 'completed' && answer;
      },
      { what: 'the turn to end' },
    );
    expect(body.data.result.metadata.degraded).toEqual([]);
    expect(model.exchanges.length).toBeGreaterThan(before);
  });
});
