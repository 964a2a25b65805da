import { expectAlive, failureOf, OWNER, PATIENT, useSandbox } from './support';

const sandbox = useSandbox();
/** What a schema refuses first, after its place; undefined where the value is valid. */
async function find(schema: object, value: unknown, call: object = {}): Promise<string | undefined> {
  const { problems } = await sandbox.checkBySchema(schema, { value }, { ...PATIENT, ...call });
  return problems.map(({ pointer, message }) => `${pointer} ${message}`)[0];
}

/** A value whose check by a schema that refers to itself twice takes twice as long for each level. */
const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
const DOUBLING = { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } };

test('tells what a schema refuses in a value', async () => {
  const schema = { type: 'object', properties: { query: { type: 'string', minLength: 2 } } };
  expect(await find(schema, { query: 'tea' })).toBeUndefined();
  expect(await find(schema, { query: 't' })).toMatch(/query.*2 characters/);
  expect(await find({ type: 'string', pattern: '^[a-z]+$' }, 'A')).toMatch(/pattern/);
});

test.each(['constructor', 'toString', 'valueOf', '__proto__'])(
  'the property "%s" of a schema is that of the value alone, which inherits one',
  async (name) => {
    const only = JSON.parse(
      `{ "type": "object", "properties": { "${name}": { "type": "string" } } }`,
    ) as object;
    for (const $schema of [undefined, 'http://json-schema.org/draft-07/schema#']) {
      expect(await find({ ...only, $schema }, {})).toBeUndefined();
      expect(await find({ type: 'object', required: [name], $schema }, {})).toMatch(name);
    }
  },
);

test('a pattern with escapes that need none is used', async () => {
  const schema = { type: 'string', pattern: String.raw`^[\w.]+\@\w+\-shop$` };
  expect(await find(schema, 'tea@the-shop')).toBeUndefined();
  expect(await find(schema, 'tea')).toMatch(/pattern/);
  expect(await find({ type: 'string', pattern: String.raw`^\p{Lu}` }, 'pLu')).toMatch(/pattern/);
  expect(await find({ patternProperties: { '^x\\-': { type: 'string' } } }, { 'x-a': 1 })).toMatch(/string/);
});

test.each([
  ['has a pattern that is none', { pattern: '(' }, 'x'],
  ['refers to another document', { $ref: 'https://other.example/schema.json' }, 'x'],
  ['refers to itself without an end', { $ref: '#' }, 'x'],
])('a schema that %s cannot be used', async (_, schema, value) => {
  expect(await failureOf(find(schema, value))).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    retryable: false,
  });
  await expectAlive(sandbox);
});

test.each([
  ['a pattern that backtracks', { pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`],
  ['references that double the work', DOUBLING, nested(60)],
])('%s is ended at the deadline while the event loop runs', async (_, schema, value) => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const error = await failureOf(find(schema, value, { owner: OWNER, timeoutMs: 500 }));
  clearInterval(timer);
  expect(error).toMatchObject({ code: 'TOOL_TIMEOUT', retryable: false });
  expect(turns).toBeGreaterThan(0);
  await expectAlive(sandbox);
});

test('the limit of a check begins when it has a thread', async () => {
  const slow = failureOf(
    find({ pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`, { owner: OWNER, timeoutMs: 2_500 }),
  );
  const quick = find({ type: 'string' }, 'x', { owner: OWNER, timeoutMs: 2_500 });
  expect(await slow).toMatchObject({ code: 'TOOL_TIMEOUT' });
  expect(await quick).toBeUndefined();
});
