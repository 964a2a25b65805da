import {
  addEpisodic,
  chainOf,
  findMemories,
  getEpisodic,
  idsOf,
  newUser,
  postEpisodic,
  putEpisodic,
  searchEpisodic,
} from '../support/memories';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

const DAY_MS = 86_400_000;
const [MAY, JUNE] = ['2023-05-03T10:00:00.000Z', '2023-06-03T10:00:00.000Z'];

const homes = async (userId: string, query = '') => {
  const { facts } = (await service.get(`/api/memory/facts/${userId}${query}`)).body.data;
  return (facts as { attribute: string; value: string }[])
    .filter(({ attribute }) => attribute === 'home')
    .map(({ value }) => value);
};

test('an event has the time that its caller names, beside that of storing', async () => {
  const userId = newUser();
  const before = Date.now();
  const memory = await addEpisodic(service, {
    userId,
    content: 'I moved to Lyon yesterday.',
    timestamp: '2023-05-03T12:00:00+02:00',
  });
  expect(memory.timestamp).toBe(MAY);
  expect(Date.parse(memory.storedAt)).toBeGreaterThanOrEqual(before);
  expect((await getEpisodic(service, memory.id)).body.data).toEqual(memory);
  // What was read can be sent back, and neither time can be changed.
  expect((await putEpisodic(service, memory.id, { ...memory, content: 'I live in Lyon.' })).status).toBe(200);
  for (const field of ['timestamp', 'storedAt']) {
    const { status, body } = await putEpisodic(service, memory.id, { [field]: JUNE });
    expect([status, body.details.field]).toEqual([400, field]);
  }
  const [fact] = (await service.get(`/api/memory/facts/${userId}`)).body.data.facts;
  expect(fact).toMatchObject({ value: 'Lyon', validFrom: MAY, learnedAt: memory.storedAt });
  const now = await addEpisodic(service, { userId });
  expect(now).not.toHaveProperty('storedAt');
  const exported = (await service.get(`/api/memory/export/${userId}`)).text.split('\n');
  expect(exported.slice(0, 2).map((line) => JSON.parse(line))).toMatchObject([
    { id: memory.id, timestamp: MAY, storedAt: memory.storedAt },
    { id: now.id },
  ]);
});

test('lists, time ranges, neighbours, sessions and statistics go by the time of the event', async () => {
  const userId = newUser();
  const times = [undefined, JUNE, MAY, '1969-07-20T20:17:40Z', JUNE];
  const ids: string[] = [];
  for (const timestamp of times) ids.push((await addEpisodic(service, { userId, timestamp })).id);
  const [now, june, may, moon, juneAgain] = ids as [string, string, string, string, string];
  const inOrder = [moon, may, june, juneAgain, now];
  expect(await chainOf(service, june)).toEqual(inOrder);
  // The first page ends before 1970.
  const listed = `/api/memory/list/${userId}?order=oldest-first`;
  const first = (await service.get(`${listed}&limit=1`)).body.data;
  const rest = (await service.get(`${listed}&cursor=${first.next}`)).body.data;
  expect(idsOf([...first.memories, ...rest.memories])).toEqual(inOrder);
  const timeRange = { start: '2023-05-01T00:00:00Z', end: '2023-05-31T23:59:59Z' };
  expect(idsOf((await searchEpisodic(service, { userId, timeRange })).body.data)).toEqual([may]);
  const found = await findMemories(service, userId, 'What did I do in May 2023?', { limit: 1 });
  expect(idsOf(found.body.data.episodic)).toEqual([may]);
  const { sessions } = (await service.get(`/api/memory/sessions/${userId}`)).body.data;
  expect(sessions).toMatchObject([{ memories: 5, first: '1969-07-20T20:17:40.000Z' }]);
  // "Yesterday" counts from the time as of which is asked.
  const dayAfter = { asOf: '2023-05-04T09:00:00Z', limit: 1 };
  const yesterday = await findMemories(service, userId, 'What did I do yesterday?', dayAfter);
  expect(idsOf(yesterday.body.data.episodic)).toEqual([may]);
  // A caller who names a neighbour decides the place.
  const placed = await addEpisodic(service, { userId, timestamp: MAY, relationships: { previous: now } });
  expect(await chainOf(service, june)).toEqual([...inOrder, placed.id]);
});

test('an earlier event that is stored late leaves what holds now, and was so at its time', async () => {
  const userId = newUser();
  await addEpisodic(service, { userId, content: 'I live in York now.' });
  const lyon = await addEpisodic(service, { userId, content: 'I live in Lyon.', timestamp: MAY });
  await addEpisodic(service, { userId, content: 'I live in Nice.', timestamp: JUNE });
  expect(await homes(userId)).toEqual(['York']);
  expect(await homes(userId, `?asOf=${MAY}`)).toEqual(['Lyon']);
  expect(await homes(userId, '?asOf=2024-01-01T00:00:00Z')).toEqual(['Nice']);
  expect(await homes(userId, '?asOf=2023-05-01T00:00:00Z')).toEqual([]);
  const asOf = '2023-05-20T00:00:00Z';
  const found = await findMemories(service, userId, 'Where do I live', { asOf });
  expect(idsOf(found.body.data.episodic)).toEqual([lyon.id]);
});

test('what was said since ends what an earlier event says, though that is stored later', async () => {
  const userId = newUser();
  const employers = async (query = '') => {
    const { facts } = (await service.get(`/api/memory/facts/${userId}${query}`)).body.data;
    return (facts as { attribute: string; value: string }[])
      .filter(({ attribute }) => attribute === 'employer')
      .map(({ value }) => value);
  };
  await addEpisodic(service, { userId, content: 'I left Acme.', timestamp: JUNE });
  await addEpisodic(service, { userId, content: 'I work at Acme.', timestamp: MAY });
  expect(await employers()).toEqual([]);
  expect(await employers(`?asOf=${MAY}`)).toEqual(['Acme']);
});

test.each<[string | number, string]>([
  ['2023-05-03T10:00:00', 'without a zone'],
  ['2023-05-03', 'a day'],
  ['yesterday', 'a word'],
  [1_683_108_000, 'a number'],
  [new Date(Date.now() + 2 * DAY_MS).toISOString(), 'after tomorrow'],
])('the time %j is refused: %s', async (timestamp, _) => {
  const { status, body } = await postEpisodic(service, { userId: newUser(), timestamp });
  expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', 'timestamp']);
});

test('a time within a day from now is taken, because clocks differ', async () => {
  const timestamp = new Date(Date.now() + DAY_MS / 2).toISOString();
  expect(await addEpisodic(service, { userId: newUser(), timestamp })).toMatchObject({ timestamp });
});
