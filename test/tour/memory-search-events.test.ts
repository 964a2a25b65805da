import { addEpisodic, addSemantic, idsOf, newUser, putEpisodic, searchMemory } from '../support/memories';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;

beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

describe('a search for events', () => {
  const userId = newUser();
  let question: { id: string };
  let answer: { id: string };

  beforeAll(async () => {
    const inSession = { userId, sessionId: 'nephew' };
    question = await addEpisodic(service, {
      ...inSession,
      content: 'Which instrument is your nephew learning?',
      context: {
        date: '3 May 2023',
        turn: 'turn-4711',
        note: 'o'.repeat(101),
        place: { name: 'Brackwater' },
      },
    });
    answer = await addEpisodic(service, { ...inSession, content: 'A bassoon, alas!' });
    await addEpisodic(service, { userId, sessionId: 'soup', content: 'The soup was burnt' });
    await addSemantic(service, { userId, concept: 'bassoon', description: 'an instrument' });
  });

  const found = async (query: string, more: object = {}) => {
    const { status, body } = await searchMemory(service, { userId, query, ...more });
    expect(status).toBe(200);
    return body.data;
  };

  test('finds an answer by the question before it, and names that', async () => {
    const { episodic } = await found('instrument of the nephew');
    expect(idsOf(episodic)).toEqual([question.id, answer.id]);
    expect(episodic[0]).not.toHaveProperty('neighbourOf');
    expect(episodic[0].relevanceScore).toBeGreaterThanOrEqual(0.7);
    expect(episodic[1].neighbourOf).toBe(question.id);
    expect(episodic[1].relevanceScore).toBeLessThan(0.7);
  });

  test('explains each memory where that is asked for', async () => {
    const { episodic, semantic } = await found('instrument of the nephew', { explain: true, threshold: 0 });
    const place = { rank: expect.any(Number), score: expect.any(Number) };
    expect(episodic[0]).toMatchObject({ id: question.id });
    expect(episodic[0].explanation).toEqual({
      words: { ...place, rank: 1 },
      meaning: { ...place, rank: 1 },
      coverage: 1,
      ownRelevance: episodic[0].relevanceScore,
      ownScore: expect.closeTo(1, 6),
      previousRelevance: 0,
      nextRelevance: expect.any(Number),
      previousScore: 0,
      nextScore: expect.any(Number),
      dateBoost: 0,
      score: expect.any(Number),
    });
    const { explanation } = episodic.find(({ id }: { id: string }) => id === answer.id);
    expect(explanation).toMatchObject({
      coverage: 0,
      previousScore: episodic[0].explanation.ownScore,
      previousRelevance: episodic[0].explanation.ownRelevance / 2,
    });
    expect(explanation).not.toHaveProperty('words');
    expect(explanation.ownRelevance).toBeLessThan(0.1);
    expect(semantic[0].explanation).toMatchObject({
      words: place,
      meaning: place,
      previousScore: 0,
      nextScore: 0,
    });
  });

  test('explains that the query names the time of a memory', async () => {
    const { episodic } = await found('the soup today', { explain: true, threshold: 0 });
    expect(episodic[0].content).toBe('The soup was burnt');
    expect(episodic[0].explanation.dateBoost).toBeGreaterThan(0);
    const other = await found('the soup in May 2001', { explain: true, threshold: 0 });
    expect(other.episodic[0].explanation.dateBoost).toBe(0);
  });

  test.each<[string, object]>([
    ['nothing is said of it', { query: 'instrument' }],
    ['it is refused', { query: 'instrument', explain: false }],
    ['nothing is searched for', { explain: true }],
  ])('explains nothing where %s', async (_, asked) => {
    const { body } = await searchMemory(service, { userId, ...asked });
    expect(body.data.episodic.length).toBeGreaterThan(0);
    expect(body.data.semantic.length).toBeGreaterThan(0);
    for (const each of [...body.data.episodic, ...body.data.semantic]) {
      expect(each).not.toHaveProperty('explanation');
    }
  });

  test.each(['yes', 1, null])('refuses %j for `explain`', async (explain) => {
    const { status, body } = await searchMemory(service, { userId, query: 'instrument', explain });
    expect([status, body.error, body.details]).toEqual([
      400,
      'Validation error',
      { field: 'explain', message: expect.any(String) },
    ]);
  });

  test('reads the short texts of a context, but not the name of its turn', async () => {
    const first = async (query: string) => (await found(query, { type: 'episodic' })).episodic[0]?.id;
    expect(await first('3 May 2023')).toBe(question.id);
    for (const query of ['turn-4711', 'o'.repeat(101), 'Brackwater'])
      expect(await first(query)).toBeUndefined();
  });

  test('reads a context as it is after a change', async () => {
    const sessionId = 'changed';
    const event = await addEpisodic(service, {
      userId,
      sessionId,
      content: 'x',
      context: { weather: 'hail' },
    });
    await putEpisodic(service, event.id, { context: { weather: 'drizzle' } });
    expect(idsOf((await found('drizzle')).episodic)).toEqual([event.id]);
    expect((await found('hail')).episodic).toEqual([]);
  });

  test('hides what is below the threshold that is named', async () => {
    const scores = async (threshold?: number): Promise<number[]> => {
      const { episodic } = await found('instrument of the nephew', { type: 'episodic', threshold });
      return episodic.map(({ relevanceScore }: { relevanceScore: number }) => relevanceScore);
    };
    const all = await scores(0);
    expect(all.length).toBeGreaterThan(2);
    expect(await scores()).toEqual(all.filter((score) => score >= 0.15));
    for (const threshold of all) {
      expect(await scores(threshold)).toEqual(all.filter((score) => score >= threshold));
    }
    expect(await scores(0.7)).toEqual(all.slice(0, 1));
  });
});
