import { clearMemories, countMemories, LEXICAL, remember } from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';
import { killTemporal } from '../support/temporal-server';
import { waitFor } from '../support/wait';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ ownTemporal: true });
});
afterEach(() => stage.close());

async function canWriteAgain(api: Api, userId: string): Promise<void> {
  await waitFor(async () => (await remember(api, userId, 'a new beginning')).status === 201, {
    what: 'the user to be able to write',
  });
}

test('an erasure that could not start its run is done once the engine is back', async () => {
  const temporal = await stage.temporal();
  const [api] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  await remember(api, 'bob', 'an old note');
  await killTemporal(stage, temporal);
  expect((await clearMemories(api, 'bob')).status).toBe(503);
  expect((await remember(api, 'bob', 'too early')).status).toBe(409);

  await stage.temporal();
  await canWriteAgain(api, 'bob');
  expect(await countMemories(api, 'bob')).toEqual({ episodic: 1, semantic: 0 });
});

test('an erasure whose run is terminated is ended by another', async () => {
  await stage.temporal();
  const api = await stage.api({ ...LEXICAL, WAIT_LIMIT_MS: '1000' });
  await remember(api, 'bob', 'an old note');
  const { status, headers } = await clearMemories(api, 'bob');
  expect(status).toBe(503);
  await stage.client.workflow.getHandle(headers.get('x-workflow-id') ?? '').terminate();

  await stage.worker(LEXICAL);
  await canWriteAgain(api, 'bob');
  expect(await countMemories(api, 'bob')).toEqual({ episodic: 1, semantic: 0 });
});
