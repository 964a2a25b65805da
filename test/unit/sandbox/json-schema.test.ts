import { expectAlive, failureOf, OWNER, PATIENT, useSandbox } from './support';

const sandbox = useSandbox();
/** What a schema refuses first, after its place; undefined if the value is valid. */
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

/** The problems of a schema itself. */
async function faultsOf(schema: object): Promise<readonly string[]> {
  const { problems } = await sandbox.checkBySchema(schema, {}, PATIENT);
  return problems.map(({ pointer, message }) => `${pointer} ${message}`);
}

test('bounds that were kept as texts are numbers for the engine', async () => {
  const int64 = { type: 'integer', minimum: '-9223372036854775808', maximum: '9223372036854775807' };
  const schema = {
    type: 'object',
    properties: { id: int64, minimum: int64, default: { anyOf: [int64, { type: 'null' }] } },
    $defs: { many: { type: 'array', items: { exclusiveMaximum: '1e400', multipleOf: '9007199254740993' } } },
  };
  for (const $schema of [undefined, 'http://json-schema.org/draft-07/schema#'])
    expect(await faultsOf({ ...schema, $schema })).toEqual([]);
  expect(await find(schema, { id: 5, minimum: -5, default: null })).toBeUndefined();
  expect(await find(schema, { id: 1e19 })).toMatch(/^\/id must be <= 9223372036854776000/);
  expect(await find(schema, { minimum: -1e19 })).toMatch(/^\/minimum must be >= -9223372036854776000/);
  expect(await find({ exclusiveMaximum: '1e400' }, 1e308)).toBeUndefined();
  expect(await find({ minimum: '1e400' }, 1e308)).toMatch(/must be >=/);
});

test('values in a schema stay texts, and so do bounds that are no numbers', async () => {
  const schema = { const: { maximum: '9223372036854775807' } };
  expect(await find(schema, { maximum: '9223372036854775807' })).toBeUndefined();
  expect(await find({ enum: ['9223372036854775807'] }, '9223372036854775807')).toBeUndefined();
  expect(await faultsOf({ maximum: '5' })).toEqual(['/maximum must be a finite number, got a string']);
  expect(await failureOf(find({ maximum: 'many' }, 5))).toMatchObject({ code: 'TOOL_EXECUTION_FAILED' });
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
