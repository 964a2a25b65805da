import type { Answer } from '../support/http';
import { startLoad } from '../support/load';
import {
  LEXICAL,
  addEpisodic,
  chainOf,
  getEpisodic,
  getSemantic,
  idsOf,
  newUser,
  postEpisodic,
  postSemantic,
  putEpisodic,
  searchMemory,
} from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';

const CALLERS = 8;
const ENOUGH = 80;

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** The answers until the API was killed. */
async function acknowledgedUntilKilled(api: Api, call: (n: number) => Promise<Answer>): Promise<Answer[]> {
  let calls = 0;
  const load = startLoad(CALLERS, 100_000, () => call((calls += 1)));
  await load.reached(ENOUGH);
  await api.process.kill();
  await load.done;
  expect(load.failures).toHaveLength(CALLERS);
  return load.answers.filter(({ status }) => status < 300);
}

test('every memory that was acknowledged is there after a kill, at its place and in the search', async () => {
  const userId = newUser();
  const api = await stage.api(LEXICAL);
  const written = await acknowledgedUntilKilled(api, (n) =>
    n % 3 === 0
      ? postSemantic(api, { userId, concept: `concept${n}` })
      : postEpisodic(api, { userId, content: `event${n}` }),
  );
  expect(written.length).toBeGreaterThanOrEqual(ENOUGH);

  const after = await stage.api(LEXICAL);
  const [events, concepts] = [true, false].map((episodic) =>
    written.map(({ body }) => body.data).filter(({ concept }) => (concept === undefined) === episodic),
  ) as [{ id: string; content: string }[], { id: string; concept: string }[]];
  const searched = async (query: string) => (await searchMemory(after, { userId, query })).body.data;
  await Promise.all([
    ...concepts.map(async ({ id, concept }) => {
      expect((await getSemantic(after, id)).body.data.concept).toBe(concept);
      expect((await searched(concept)).semantic[0].id).toBe(id);
    }),
    ...events.map(async ({ id, content }) => {
      expect((await getEpisodic(after, id)).body.data.content).toBe(content);
      expect((await searched(content)).episodic[0].id).toBe(id);
    }),
  ]);
  // One write of each caller may be stored without an answer, but never half of it.
  const chain = await chainOf(after, events[0]?.id ?? '');
  expect(new Set(chain)).toEqual(new Set([...chain, ...idsOf(events)]));
  expect(chain.length).toBeLessThanOrEqual(events.length + CALLERS);
  const { episodic } = (await after.get(`/api/memory/stats/${userId}`)).body.data;
  expect(episodic.count).toBe(chain.length);
  expect((await postEpisodic(after, { userId })).status).toBe(201);
});

test('and so is every change', async () => {
  const api = await stage.api(LEXICAL);
  const { id } = await addEpisodic(api, { userId: newUser() });
  let last = 0;
  const changed = await acknowledgedUntilKilled(api, (n) => {
    last = n;
    return putEpisodic(api, id, { context: { [`field${n}`]: n } });
  });
  const answered = new Set(changed.flatMap(({ body }) => Object.keys(body.data.context)));

  const after = await stage.api(LEXICAL);
  const { context } = (await getEpisodic(after, id)).body.data;
  expect(Object.keys(context)).toEqual(expect.arrayContaining([...answered]));
  expect(answered.size).toBeGreaterThanOrEqual(changed.length);
  expect(Object.keys(context).length).toBeLessThanOrEqual(last);
});
