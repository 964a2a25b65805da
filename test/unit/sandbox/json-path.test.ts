import { expectAlive, failureOf, OWNER, PATIENT, useSandbox } from './support';

const sandbox = useSandbox({ outputBytes: 20_000 });
const shop = {
  books: [
    { title: 'Sea', price: 8, tags: ['old', 'blue'] },
    { title: 'Sky', price: 12, tags: [] },
  ],
  owner: { name: 'Ada' },
};

function query(path: string, document: unknown = shop) {
  return sandbox.queryJson(document, path, PATIENT);
}

test.each([
  ['$', [shop]],
  ['$.owner.name', ['Ada']],
  ['$["owner"]["name"]', ['Ada']],
  ['$.books[*].title', ['Sea', 'Sky']],
  ['$.books[-1].price', [12]],
  ['$.books[?@.price < 10].title', ['Sea']],
  ['$.books[?search(@.title, "k.")].title', ['Sky']],
  ['$.books[?count(@.tags[*]) == 0].title', ['Sky']],
  ['$..price', [8, 12]],
  ['$.absent', []],
  ['$.books[9]', []],
])('%s', async (path, values) => {
  expect(await query(path)).toEqual(values);
});

test('names of prototype members find own data alone', async () => {
  for (const path of ['$.constructor', '$.__proto__', '$.toString', '$[*].length']) {
    expect(await query(path, { a: 1 })).toEqual([]);
  }
  const document: unknown = JSON.parse('{"__proto__":{"x":1}}');
  expect(await query('$.__proto__.x', document)).toEqual([1]);
});

test.each([
  ['$.a[', 5],
  ['a.b', 1],
  ['', 1],
  ['$.books[?@.price <]', 19],
  ['$.books[?nope(@)]', 10],
])('%j is no path, and the message tells where', async (path, character) => {
  const error = await failureOf(query(path));
  expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
  expect(error.message).toMatch(new RegExp(`^Invalid JSON path at character ${character}: .+[^)]$`));
});

test('documents nested too deeply to walk are an error', async () => {
  const nested = (levels: number): unknown => JSON.parse('[ '.repeat(levels) + ']'.repeat(levels));
  expect(await query('$..[?@ == 1]', nested(250))).toEqual([]);
  expect(await query('$', nested(256))).toEqual([nested(256)]);
  for (const path of ['$..*', '$']) {
    expect(await failureOf(query(path, nested(257)))).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: 'The path finds data that is nested deeper than 256 levels',
    });
  }
  expect(await failureOf(query('$', nested(100_000)))).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: 'The document cannot be written as JSON: nested too deeply',
  });
});

test('more than the limit of output is an error', async () => {
  expect(await failureOf(query('$[*]', Array(12_000).fill(1)))).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: 'The path finds more than 20000 bytes of JSON',
  });
});

test.each(["$[?match(@, '(a+)+b')]", "$[?search(@, '(a+)+$')]", "$[?match(@, '(a|a)*b|(a*)*c')]"])(
  '%s needs no more time for what makes other engines backtrack',
  async (path) => {
    const found = path.includes('search') ? ['a'.repeat(4_000)] : [];
    expect(await query(path, ['a'.repeat(4_000), 'a'.repeat(4_000) + '!'])).toEqual(found);
  },
);

test('queries inside queries are ended at the deadline', async () => {
  const [path, document] = ['$..[?$..[?$..[?$..*]]]', Array(100).fill([0])];
  const error = await failureOf(sandbox.queryJson(document, path, { owner: OWNER, timeoutMs: 300 }));
  expect(error).toMatchObject({
    code: 'TOOL_TIMEOUT',
    message: 'The JSON path did not finish within 300 ms',
  });
  await expectAlive(sandbox);
});

test('a query that collects without end runs out of time or memory, and the sandbox lives on', async () => {
  const everything = '..*'.repeat(12);
  const error = await failureOf(
    sandbox.queryJson(JSON.parse('['.repeat(60) + ']'.repeat(60)), `$${everything}`, {
      owner: OWNER,
      timeoutMs: 4_000,
    }),
  );
  expect(['TOOL_TIMEOUT', 'TOOL_EXECUTION_FAILED']).toContain(error.code);
  await expectAlive(sandbox);
});
