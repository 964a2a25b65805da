import { answerOf, ask, initializeAgent } from '../support/agent';
import { addEpisodic, addSemantic, getEpisodic, newUser } from '../support/memories';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
let userId: string;

beforeAll(async () => {
  service = await useService();
  await initializeAgent(service);
});
afterAll(() => service.stop());
beforeEach(() => {
  userId = newUser();
});

const say = (query: string, sessionId = 'session-1', more: object = {}) =>
  answerOf(ask(service, query, { userId, sessionId, ...more }));
/** The contents of the memories that an answer is based on. */
const sourcesOf = ({ metadata }: { metadata: { sources: string[] } }): Promise<string[]> =>
  Promise.all(metadata.sources.map(async (id) => (await getEpisodic(service, id)).body.data.content));

describe('a calculation', () => {
  test.each([
    ['What is 15 times 7?', 105],
    ['what is 144 divided by twelve', 12],
    ['add 19 to 23', 42],
  ])('%s is worked out: %d', async (query, result) => {
    const { response, intent, toolResults, metadata } = await say(query);
    expect(intent.type).toBe('tool_execution');
    expect(response).toContain(String(result));
    expect(toolResults).toMatchObject([{ toolName: 'calculator', success: true, result }]);
    expect(metadata).toMatchObject({
      provider: 'builtin',
      modelUsed: 'builtin',
      toolsExecuted: 1,
      degraded: [],
    });
  });

  test('of two steps uses the first in the second', async () => {
    const { response, toolResults } = await say('Multiply 6 by 7, then subtract 2');
    expect(toolResults.map(({ result }: { result: number }) => result)).toEqual([42, 40]);
    expect(response).toContain('40');
  });

  test('that cannot be done is answered, and the failure is told', async () => {
    const { response, toolResults, metadata } = await say('What is 5 divided by 0?');
    expect(toolResults).toMatchObject([
      { toolName: 'calculator', success: false, error: expect.stringMatching(/zero/i) },
    ]);
    expect(response).toMatch(/zero/i);
    expect(metadata).toMatchObject({ toolsExecuted: 1, remembered: true });
  });
});

describe('what was told', () => {
  test('is known in another session, with where it comes from', async () => {
    const introduced = await say('My name is Dana and I prefer tea', 'monday');
    expect(introduced.response).toMatch(/Dana/);

    const drink = await say('What do I like to drink?', 'tuesday');
    expect(drink.intent.type).toBe('memory_chat');
    expect(drink.response).toMatch(/tea/);
    expect(drink.response).toMatch(/you told me on \d{4}-\d\d-\d\d/i);
    expect(await sourcesOf(drink)).toEqual(['My name is Dana and I prefer tea']);

    const name = await say('What is my name?', 'wednesday');
    expect(name.response).toMatch(/Dana/);
    expect(await sourcesOf(name)).toEqual(['My name is Dana and I prefer tea']);
  });

  test('last is what counts', async () => {
    await say('I prefer tea', 'monday');
    await say('I prefer coffee now', 'tuesday');
    const { response, ...drink } = await say('What do I like to drink?', 'wednesday');
    expect(response).toMatch(/coffee/);
    expect(await sourcesOf(drink)).toContain('I prefer coffee now');
  });

  test('is known though it was asked for many times before', async () => {
    for (let n = 0; n <= 10; n += 1) await say('What is the name of my plumber?');
    await say('My plumber is called Rosa.');
    const { response, ...turn } = await say('What is the name of my plumber?', 'session-2');
    expect(response).toMatch(/Rosa/);
    expect(await sourcesOf(turn)).toEqual(['My plumber is called Rosa.']);
  });

  test('is quoted where it takes a tool too, and no tool gets it: a hybrid turn', async () => {
    await say('I use 40 litres of water per week', 'monday');
    const turn = await say('How many litres did I say I use per week, times 4?', 'tuesday');
    expect(turn.intent.type).toBe('hybrid');
    expect(turn.toolResults).toEqual([]);
    expect(turn.response).toMatch(/You told me on \d{4}-\d\d-\d\d: “I use 40 litres of water per week”/);
    expect(turn.response).toMatch(/OPENAI_API_KEY.*LOCAL_LLM_BASE_URL/);
    expect(await sourcesOf(turn)).toEqual(['I use 40 litres of water per week']);
  });

  test('through the memory API counts as well', async () => {
    const { id } = await addEpisodic(service, { userId, content: 'My sister lives in Lisbon' });
    const turn = await say('Where does my sister live?');
    expect(turn.response).toMatch(/Lisbon/);
    expect(turn.metadata.sources).toEqual([id]);
  });

  test('as knowledge answers what is asked of the world', async () => {
    const { id } = await addSemantic(service, {
      userId,
      concept: 'photosynthesis',
      description: 'the way in which plants make sugar from light, water and carbon dioxide',
    });
    const turn = await say('What is photosynthesis?');
    expect(turn.intent.type).toBe('knowledge_search');
    expect(turn.response).toMatch(/plants make sugar/);
    expect(turn.metadata.sources).toEqual([id]);
  });
});

describe('what nothing is known of', () => {
  test.each([
    ['What is my shoe size?', /no memory/i],
    ['What did I tell you about my brother?', /no memory|nothing/i],
    ['Who discovered the planet Zorgon?', /nothing|not know/i],
    ['How many apples did I say I eat, times 3?', /no memory.*\n.*LOCAL_LLM_BASE_URL/],
  ])('%s is answered so', async (query, words) => {
    const { response, toolResults, metadata } = await say(query);
    expect(response).toMatch(words);
    expect(metadata).toMatchObject({ sources: [], toolsExecuted: 0, remembered: true });
    expect(toolResults).toEqual([]);
  });

  test('does not become known by asking for it', async () => {
    await say('What is my shoe size?', 'monday');
    const { response, metadata } = await say('What is my shoe size?', 'tuesday');
    expect(response).toMatch(/no memory/i);
    expect(metadata.sources).toEqual([]);
  });

  test('is not made up from a memory that is near', async () => {
    await say('My sister has a dog', 'monday');
    const { response } = await say('Where does my sister live?', 'tuesday');
    expect(response).not.toMatch(/lives in/);
  });
});

describe("another user's memory", () => {
  test.each(['What is my name?', 'What do I like to drink?', 'What is the name of user-dana?'])(
    'is not reached by "%s"',
    async (query) => {
      const dana = `dana-${newUser()}`;
      const sessionId = 'shared';
      await answerOf(ask(service, 'My name is Dana and I prefer tea', { userId: dana, sessionId }));
      await addSemantic(service, {
        userId: dana,
        concept: 'Dana',
        description: 'prefers tea, name of user-dana',
      });
      for (const more of [
        {},
        { memoryThreshold: 0, memorySearchTerms: ['Dana', 'tea'], responseDetailLevel: 'full' },
      ]) {
        const turn = await say(query, sessionId, more);
        expect(JSON.stringify(turn)).not.toMatch(/\b(tea|Dana)\b/);
        const { episodicMemories, semanticMemories } = turn.memoryContext;
        for (const memory of [...episodicMemories, ...semanticMemories]) expect(memory.userId).toBe(userId);
      }
    },
  );
});
