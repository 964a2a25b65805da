import {
  LEXICAL,
  addEpisodic,
  addSemantic,
  chainOf,
  getEpisodic,
  getSemantic,
  idsOf,
  newUser,
  postEpisodic,
  putEpisodic,
  searchMemory,
  searchSemantic,
} from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;
let first: Api;
let second: Api;

beforeAll(async () => {
  stage = await openStage();
  [first, second] = await Promise.all([stage.api(LEXICAL), stage.api(LEXICAL)]);
});
afterAll(() => stage.close());

test('what one process wrote, changed or deleted, the next request to the other sees', async () => {
  const userId = newUser();
  for (let n = 0; n < 10; n += 1) {
    const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
    const event = await addEpisodic(writer, {
      userId,
      sessionId: `session-${n}`,
      content: `zeppelin${n} over the lake`,
    });
    const concept = await addSemantic(writer, { userId, concept: `submarine${n}` });
    expect((await getEpisodic(reader, event.id)).body.data).toEqual(event);
    const query = { userId, query: `zeppelin${n} submarine${n}`, threshold: 0.1 };
    const { data } = (await searchMemory(reader, query)).body;
    expect([idsOf(data.episodic), idsOf(data.semantic)]).toEqual([[event.id], [concept.id]]);

    await putEpisodic(writer, event.id, { content: `steamer${n}` });
    const changed = await searchMemory(reader, { userId, query: `steamer${n}` });
    // The search tolerates one wrong letter, so the names of the other events match as well.
    expect(idsOf(changed.body.data.episodic)[0]).toBe(event.id);
    await writer.send('DELETE', `/api/memory/semantic/${concept.id}`);
    expect((await getSemantic(reader, concept.id)).status).toBe(404);
    expect((await searchSemantic(reader, { userId, query: `submarine${n}` })).body.data).toEqual([]);
  }
});

test('reads at one process are soon counted at the other', async () => {
  const { id } = await addSemantic(first, { userId: newUser() });
  for (let n = 0; n < 5; n += 1) await getSemantic(first, id);
  let own = 0;
  await waitFor(
    async () => {
      own += 1;
      return (await getSemantic(second, id)).body.data.metadata.accessCount === 5 + own;
    },
    { what: 'the reads of the other process to be counted' },
  );
});

test('200 writers to one session by each process: none is refused, the order is right, nothing is lost or doubled', async () => {
  const userId = newUser();
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, n) =>
      postEpisodic(n % 2 === 0 ? first : second, { userId, content: `memory ${n}` }),
    ),
  );
  expect(answers.filter(({ status }) => status !== 201).map(({ body }) => body)).toEqual([]);
  const chain = await chainOf(first, answers[0]?.body.data.id);
  expect(chain.length).toBe(400);
  expect(new Set(chain)).toEqual(new Set(answers.map(({ body }) => body.data.id)));
});

test('changes of one memory by both processes at once lose nothing of different fields', async () => {
  const memory = await addEpisodic(first, { userId: newUser() });
  const names = Array.from({ length: 40 }, (_, n) => `field${n}`);
  const answers = await Promise.all(
    names.map((name, n) => putEpisodic(n % 2 === 0 ? first : second, memory.id, { context: { [name]: n } })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { context } = (await getEpisodic(second, memory.id)).body.data;
  expect(Object.keys(context).sort()).toEqual([...names].sort());
});
