import { request } from '../support/http';
import { bearer, type Key, runKeys } from '../support/keys';
import { addEpisodic, addSemantic, LEXICAL, newUser } from '../support/memories';
import { exported, imported, importMemories, importReportOf, said } from '../support/memory-imports';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

const LIMITS = {
  MEMORY_IMPORT_MAX_BYTES: '2000000',
  MEMORY_IMPORT_MAX_LINES: '6000',
  MAX_BODY_BYTES: '20000',
};

const CITIES = ['Leeds', 'York', 'Hull', 'Bath', 'Ely'];

let service: Service;
let own: Record<string, string>;
let acme: Record<string, string>;

beforeAll(async () => {
  service = await startService({ ...LEXICAL, ...LIMITS, AUTH: 'keys' });
  const key = async (...args: string[]): Promise<Record<string, string>> =>
    bearer(
      (
        await runKeys<Key>(
          service.dataDir,
          'create',
          '--name',
          'test',
          '--scopes',
          'read,memory,admin',
          ...args,
        )
      ).key,
    );
  [own, acme] = [await key(), await key('--tenant', 'acme')];
});
afterAll(() => service.stop());

/** Sends requests with the key of the default tenant. */
const api = (headers = own) => ({
  get: (path: string) => request(service.url + path, { headers }),
  post: (path: string, body?: unknown) => api(headers).send('POST', path, body),
  send: (method: string, path: string, body?: unknown) =>
    request(service.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
});

async function fill(userId: string): Promise<void> {
  const monday = { userId, sessionId: 'monday' };
  const first = await addEpisodic(api(), {
    ...monday,
    content: 'Zürich "quoted"\u2028',
    context: { deep: [{ x: null }] },
  });
  await addEpisodic(api(), {
    ...monday,
    content: 'before',
    timestamp: '2024-05-01T10:00:00Z',
    metadata: { tags: ['a'] },
  });
  const related = { related: [first.id] };
  await addEpisodic(api(), {
    ...monday,
    sessionId: 'other',
    metadata: { importance: 0.9, extra: 12 },
    relationships: related,
  });
  const parent = await addSemantic(api(), { userId, concept: 'places', metadata: { accessCount: 7 } });
  const child = await addSemantic(api(), { userId, relationships: { parent: parent.id, ...related } });
  await addSemantic(api(), { userId, concept: 'tea', relationships: { similar: [child.id, parent.id] } });
}

/** Replaces the ids of lines by their order, and leaves out what differs between users. */
function comparable(lines: readonly { id?: string; userId?: string }[]): unknown {
  const sorted = lines
    .map(({ userId: _user, ...line }) => line)
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const ids = sorted.flatMap(({ id }) => id ?? []);
  const text = ids.reduce((all, id, n) => all.replaceAll(id, `#${n}`), JSON.stringify(sorted));
  return (JSON.parse(text) as { relationships?: Record<string, unknown> }[]).map(
    ({ relationships = {}, ...line }) => ({
      ...line,
      relationships: Object.fromEntries(
        Object.entries(relationships).map(([name, ids]) => [
          name,
          Array.isArray(ids) ? [...(ids as string[])].sort() : ids,
        ]),
      ),
    }),
  );
}
const keyOf = (line: object): string => {
  const { kind, content, concept } = line as Record<string, string>;
  return JSON.stringify([kind, content, concept]);
};

test('an export that is imported again after an erasure is the same, and a repeat creates nothing', async () => {
  const userId = newUser();
  await fill(userId);
  const lines = await exported(service.url, userId, own);
  expect(lines).toHaveLength(7);
  expect((await api().send('DELETE', `/api/memory/clear/${userId}`)).status).toBe(200);
  const report = await imported(service.url, userId, lines, own);
  expect(report).toMatchObject({
    ...{
      state: 'completed',
      userId,
      rows: 7,
      created: 6,
      present: 0,
      failed: 0,
      renamed: 0,
      unrelated: 0,
      errors: [],
    },
    bytesDone: report.bytesTotal,
  });
  const byKind = async () => {
    const again = await exported(service.url, userId, own);
    return again.sort((one, other) => (one.id < other.id ? -1 : 1));
  };
  expect(await byKind()).toEqual([...lines].sort((one, other) => (one.id < other.id ? -1 : 1)));
  expect(await imported(service.url, userId, lines, own)).toMatchObject({
    created: 0,
    present: 6,
    failed: 0,
  });
  expect(await byKind()).toHaveLength(7);
});

test('an export becomes the memories of another user and of another tenant, and theirs stay as they are', async () => {
  const [userId, other] = [newUser(), newUser()];
  await fill(userId);
  const lines = await exported(service.url, userId, own);
  for (const [to, headers] of [
    [other, own],
    [userId, acme],
  ] as const) {
    const facts = { created: 6, renamed: 6, unrelated: 0, errors: [] };
    expect(await imported(service.url, to, lines, headers)).toMatchObject(facts);
    expect(await imported(service.url, to, lines, headers)).toMatchObject({ created: 0, present: 6 });
    const theirs = await exported(service.url, to, headers);
    expect(comparable(theirs)).toEqual(comparable(lines));
    expect(theirs.filter(({ id }) => id !== undefined && lines.some((line) => line.id === id))).toEqual([]);
  }
  expect(await exported(service.url, userId, own)).toEqual(lines);
});

test('messages of years ago have their places and facts, and what was said last holds', async () => {
  const userId = newUser();
  await addEpisodic(api(), { userId, sessionId: 'imported', content: 'I prefer tea.' });
  const lines = [
    said('I live in Leeds.', '2023-03-01T10:00:00Z'),
    said('Noted. I live in a server.', '2023-03-01T10:00:00Z', { role: 'assistant' }),
    said('I live in Lisbon.', '2021-03-01T10:00:00+01:00'),
    said('You answer briefly.', '2021-01-01T10:00:00Z', { role: 'system' }),
  ];
  expect(await imported(service.url, userId, lines, own)).toMatchObject({ created: 4, failed: 0 });
  const homes = async (query: string): Promise<string[]> => {
    const { body } = await api().get(`/api/memory/facts/${userId}?${query}`);
    return (body.data.facts as { attribute: string; value: string }[])
      .filter(({ attribute }) => attribute === 'home')
      .map(({ value }) => value);
  };
  expect(await homes('')).toEqual(['Leeds']);
  expect(await homes('asOf=2022-01-01T00:00:00Z')).toEqual(['Lisbon']);
  expect(await homes('asOf=2020-01-01T00:00:00Z')).toEqual([]);
  const all = (await exported(service.url, userId, own)).slice(0, -1);
  expect(all.map(({ content }) => content)).toEqual([
    'You answer briefly.',
    'I live in Lisbon.',
    'I live in Leeds.',
    'Noted. I live in a server.',
    'I prefer tea.',
  ]);
  expect(all.map(({ relationships }) => relationships.previous)).toEqual([
    undefined,
    ...all.slice(0, -1).map(({ id }) => id),
  ]);
  const history = await api().get(`/api/memory/list/${userId}?limit=10`);
  expect(history.status).toBe(200);
});

test('wrong lines are reported by their numbers, and the others are imported', async () => {
  const userId = newUser();
  const line = JSON.stringify(said('fine', '2024-01-01T10:00:00Z'));
  const lines = [
    line,
    '',
    '{"role":',
    line.replace('fine', String.raw`half \ud83d`),
    line.replace('fine', 'big').replace('"role"', '"n":1e400,"role"'),
    JSON.stringify({ ...said('x', '2024-01-01T10:00:00Z'), role: 'robot' }),
    JSON.stringify({ kind: 'end', episodic: 3, semantic: 0 }),
  ];
  const body = Buffer.concat([
    Buffer.from(`${lines.join('\n')}\n`),
    Buffer.from(line.replace('fine', 'é'), 'latin1'),
  ]);
  const report = await imported(service.url, userId, new Uint8Array(body), own);
  expect(report).toMatchObject({ state: 'completed', rows: 8, created: 1, failed: 6 });
  expect(report.errors.map((error) => [error.line, error.message])).toEqual([
    [3, 'The row is not JSON'],
    [4, 'must have no lone surrogates'],
    [5, expect.stringContaining('beyond the range of numbers')],
    [6, expect.stringContaining('Invalid option')],
    [7, expect.stringContaining('The export is not whole')],
    [8, 'The row is not JSON'],
  ]);
});

test('uploads that are too large, of another type or for no user are refused', async () => {
  const userId = newUser();
  const refused = async (...args: Parameters<typeof importMemories>) => {
    const { status, body } = await importMemories(...args);
    return [status, body.message];
  };
  const { url } = service;
  const say = (content: string) => said(content, '2024-01-01T10:00:00Z');
  expect(await refused(url, userId, [say('x'.repeat(20_000))], own)).toEqual([
    413,
    'A row is larger than 20000 bytes (MAX_BODY_BYTES)',
  ]);
  expect(await refused(url, userId, Array<object>(150).fill(say('x'.repeat(15_000))), own)).toEqual([
    413,
    'The body is larger than 2000000 bytes (MEMORY_IMPORT_MAX_BYTES)',
  ]);
  expect(await refused(url, userId, '\n'.repeat(6_001), own)).toEqual([
    413,
    'The body has more than 6000 rows (MEMORY_IMPORT_MAX_LINES)',
  ]);
  expect((await importMemories(url, userId, [], { ...own, 'content-type': 'application/json' })).status).toBe(
    415,
  );
  expect((await importMemories(url, 'a\u0007', [], own)).status).toBe(400);
  expect((await importMemories(url, userId, [])).status).toBe(401);
});

test('a key of a user imports for that user alone, and nobody else sees the import', async () => {
  const [ann, bob] = [newUser(), newUser()];
  const keyOf = async (userId: string) =>
    bearer(
      (
        await runKeys<Key>(
          service.dataDir,
          'create',
          '--name',
          userId,
          '--scopes',
          'read,memory',
          '--user',
          userId,
        )
      ).key,
    );
  const [annKey, bobKey] = [await keyOf(ann), await keyOf(bob)];
  const lines = [said('hello', '2024-01-01T10:00:00Z')];
  const started = await importMemories(service.url, ann, lines, annKey);
  const path = started.headers.get('location') ?? '';
  expect([started.status, path]).toEqual([201, `/api/memory/import/${ann}/${started.body.data.id}`]);
  expect(await importReportOf(service.url, path, { headers: annKey })).toMatchObject({
    state: 'completed',
    created: 1,
  });
  expect((await importMemories(service.url, bob, lines, annKey)).status).toBe(403);
  expect((await api(bobKey).get(path)).status).toBe(403);
  const { id } = started.body.data as { id: string };
  expect((await api(bobKey).get(`/api/memory/import/${bob}/${id}`)).body.error).toBe('Import not found');
  expect((await api(acme).get(path)).status).toBe(404);
  expect((await api().get(path)).status).toBe(200);
  for (const none of ['none', '%2e%2e', '..%2f..%2fsecrets'])
    expect((await api().get(`/api/memory/import/${ann}/${none}`)).status).toBe(404);
  // The list of runs follows a little later.
  const listed = async (): Promise<unknown> =>
    (await api().get(`/api/runs?type=importMemories&userId=${ann}&status=completed`)).body.data.runs;
  await waitFor(async () => ((await listed()) as unknown[]).length > 0, { what: 'the run to be listed' });
  expect(await listed()).toMatchObject([{ type: 'importMemories', status: 'completed' }]);
});

test('a repeat under the same key is the first import, and others are refused under it', async () => {
  const userId = newUser();
  const key = { ...own, 'idempotency-key': 'spring-2026' };
  const lines = [said('hello', '2024-01-01T10:00:00Z')];
  const first = await imported(service.url, userId, lines, key);
  expect(await imported(service.url, userId, lines, key)).toEqual(first);
  expect((await importMemories(service.url, userId, [...lines, ...lines], key)).status).toBe(409);
});

test('5,000 messages are imported, in sessions of their times', async () => {
  const userId = newUser();
  const at = Date.parse('2022-01-01T00:00:00Z');
  const lines = Array.from({ length: 5_000 }, (_, n) =>
    said(
      n % 50 === 0 ? `I live in ${CITIES[(n / 50) % 5]!}.` : `note ${n} about sailing`,
      new Date(at + n * 60_000).toISOString(),
      {
        role: n % 2 === 0 ? 'user' : 'assistant',
        sessionId: `day ${n % 7}`,
      },
    ),
  );
  const report = await imported(service.url, userId, lines, own);
  expect(report).toMatchObject({ rows: 5_000, created: 5_000, failed: 0 });
  const all = (await exported(service.url, userId, own)).slice(0, -1);
  expect(all.map(({ content }) => content)).toEqual(
    lines.map((line) => (line as { content: string }).content),
  );
  for (const [n, { relationships }] of all.entries()) expect(relationships.previous).toBe(all[n - 7]?.id);
  const { body } = await api().get(`/api/memory/facts/${userId}`);
  expect(body.data.facts).toMatchObject([{ attribute: 'home', value: 'Ely' }]);
});
