import { get as httpGet, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { startLoad } from '../support/load';
import {
  LEXICAL,
  addEpisodic,
  addSemantic,
  getEpisodic,
  getSemantic,
  newUser,
  postEpisodic,
  postSemantic,
} from '../support/memories';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

const CALLERS = 8;
const MANY = 2_600;
/** Two memories fill a chunk, and all of them together exceed the buffers of sockets. */
const LONG = 'x'.repeat(9_000);

let service: Service;

beforeAll(async () => {
  service = await startService(LEXICAL);
});
afterAll(() => service.stop());

const pathOf = (userId: string): string => `/api/memory/export/${encodeURIComponent(userId)}`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies freely
function linesOf(text: string): any[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

function unread(userId: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpGet(service.url + pathOf(userId), resolve).on('error', reject);
  });
}

test('an export has the memories as they are got one by one, and counts them', async () => {
  const userId = newUser();
  const events = [
    await addEpisodic(service, {
      userId,
      content: 'Zürich\n\u2028 "quoted"',
      context: { deep: [{ x: null }] },
    }),
    await addEpisodic(service, { userId, metadata: { tags: ['a', 'b'], importance: 0.9 } }),
  ];
  const parent = await addSemantic(service, { userId, concept: 'places' });
  const child = await addSemantic(service, {
    userId,
    relationships: { parent: parent.id, related: [events[0].id] },
  });
  await addEpisodic(service, { userId: newUser() });

  const { status, headers, text } = await service.get(pathOf(userId));
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const lines = linesOf(text);
  // A get counts as a read, an export does not.
  const accessed = { lastAccessed: expect.any(String), accessCount: 0 };
  for (const { id } of events) {
    const { data } = (await getEpisodic(service, id)).body;
    expect(lines).toContainEqual({ kind: 'episodic', ...data });
  }
  for (const { id } of [parent, child]) {
    const { data } = (await getSemantic(service, id)).body;
    expect(lines).toContainEqual({ kind: 'semantic', ...data, metadata: { ...data.metadata, ...accessed } });
  }
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toEqual({ kind: 'end', episodic: 2, semantic: 2 });
});

test('of a user without memories it is the end alone', async () => {
  const { status, text } = await service.get(pathOf(newUser()));
  expect([status, text]).toEqual([200, '{"kind":"end","episodic":0,"semantic":0}\n']);
  expect((await service.get(pathOf('a\u0007'))).body).toMatchObject({
    error: 'Validation error',
    details: { field: 'userId' },
  });
});

test('thousands arrive whole at a slow reader, while others are written', async () => {
  const userId = newUser();
  const load = startLoad(CALLERS, MANY / CALLERS, (n) =>
    n % 4 === 3
      ? postSemantic(service, { userId, concept: `concept ${n}`, description: LONG })
      : postEpisodic(service, { userId, sessionId: `session ${n % 3}`, content: LONG }),
  );
  await load.done;
  const ids = load.answers.map(({ body }) => body.data.id as string);
  const concepts = load.answers.filter(({ body }) => body.data.concept !== undefined).length;
  expect([load.failures, new Set(ids).size]).toEqual([[], MANY]);

  const response = await unread(userId);
  const writers = startLoad(2, 100, (n) => postEpisodic(service, { userId, content: `later ${n}` }));
  // Nothing was read so far, so everything that arrives now has waited for its reader.
  await writers.done;
  const found: string[] = [];
  let end: unknown;
  for await (const line of createInterface({ input: response })) {
    const memory = JSON.parse(line) as { kind: string; id: string };
    if (memory.kind === 'end') end = memory;
    else found.push(memory.id);
    if (found.length % 500 === 0) await service.get('/livez');
  }
  expect(new Set(found).size).toBe(found.length);
  expect(ids.filter((id) => !new Set(found).has(id))).toEqual([]);
  expect(end).toEqual({
    kind: 'end',
    episodic: found.length - concepts,
    semantic: concepts,
  });

  const given = await unread(userId);
  given.on('error', () => undefined);
  given.destroy();
  await waitFor(
    () =>
      service.process.lines.some(
        ({ path, aborted }) => path === '/api/memory/export/:userId' && aborted === true,
      ),
    { what: 'the export to be given up' },
  );
  expect(service.process.lines.filter(({ level }) => Number(level) >= 50 || level === 'error')).toEqual([]);
});
