import { answerOf, ask, initializeAgent } from '../support/agent';
import { LEXICAL, addEpisodic, newUser } from '../support/memories';
import { type Service, startService } from '../support/service';

describe('with settings below the usual', () => {
  let small: Service;
  const userId = newUser();

  beforeAll(async () => {
    small = await startService({
      ...LEXICAL,
      MEMORY_MAX_CONTEXT_MEMORIES: '2',
      MEMORY_MAX_CONTENT_LENGTH: '100',
    });
    await initializeAgent(small);
  });
  afterAll(() => small.stop());

  test('MEMORY_MAX_CONTEXT_MEMORIES bounds a turn that names no number', async () => {
    for (let n = 0; n < 4; n += 1) await addEpisodic(small, { userId, content: `bicycle tour number ${n}` });
    const { metadata } = await answerOf(ask(small, 'bicycle tour', { userId, memoryThreshold: 0.1 }));
    expect(metadata.memoryRetrieved).toBe(2);
  });

  test('a query that could not be remembered whole is refused, with the setting', async () => {
    const { metadata } = await answerOf(ask(small, 'a'.repeat(100), { userId }));
    expect(metadata.remembered).toBe(true);
    const { status, text } = await ask(small, 'a'.repeat(101), { userId });
    expect(status).toBe(400);
    expect(text).toContain('MEMORY_MAX_CONTENT_LENGTH');
  });
});
