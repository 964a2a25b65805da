import { startChatSessions } from '../support/chat-sessions';
import { LEXICAL } from '../support/memories';
import { chat, contentsOf, historyOf, initializeMemoryChat, isInTurns } from '../support/memory-chat';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { localBy } from '../support/model-service';
import { openStage, type Stage } from '../support/stage';
import { pickCount } from '../support/thorough';
import { waitFor } from '../support/wait';

// `kill()` of a process is SIGKILL.
jest.setTimeout(600_000);

let stage: Stage;
let models: ModelServer;

beforeEach(async () => {
  [stage, models] = await Promise.all([openStage(), startModelServer()]);
});
afterEach(async () => {
  await models.close();
  await stage.close();
});

test('a worker killed while it answers: the message is kept, and is answered once by another worker', async () => {
  const env = { ...LEXICAL, ...localBy(models) };
  const [api, first] = await Promise.all([stage.api(env), stage.worker(env)]);
  await initializeMemoryChat(api);
  const held: (() => void)[] = [];
  models.script(async (request, response) => {
    await new Promise<void>((resolve) => held.push(resolve));
    if (!response.destroyed) await says('too late')(request, response);
  });
  models.otherwise(says('Noted.'));

  const answer = chat(api, { userId: 'ann', message: 'I keep bees' });
  const next = (async () => {
    await waitFor(() => held.length > 0, { what: 'the model to be asked' });
    return chat(api, { userId: 'ann', message: 'and hens' });
  })();
  await waitFor(() => held.length > 0, { what: 'the model to be asked' });
  expect(contentsOf(await historyOf(api, 'ann'), 'user')).toEqual(['I keep bees']);
  await first.kill();
  for (const release of held) release();
  await stage.worker(env);

  const answers = [await answer, await next];
  expect(answers.map(({ status, body }) => [status, body.data.message, body.data.degraded])).toEqual([
    [200, 'Noted.', []],
    [200, 'Noted.', []],
  ]);
  const history = await historyOf(api, 'ann');
  expect(history.map(({ content }) => content)).toEqual(['I keep bees', 'Noted.', 'and hens', 'Noted.']);
  expect(isInTurns(history)).toBe(true);
});

test('sessions at once with a worker killed in the middle: nothing lost, nothing twice, all in order', async () => {
  const [count, turns] = [pickCount(20, 50), pickCount(6, 20)];
  const [api, first] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL), stage.worker(LEXICAL)]);
  await initializeMemoryChat(api);
  const sessions = startChatSessions(api, count, turns);
  await Promise.race([
    sessions.done,
    waitFor(() => sessions.answered() >= 0.3 * count * turns, {
      what: 'a third of the answers',
      timeoutMs: 400_000,
    }),
  ]);
  expect(sessions.answered()).toBeLessThan(0.9 * count * turns);
  await first.kill();
  await sessions.done;
  expect(sessions.answered()).toBe(count * turns);
  await sessions.check();
});
