import fc from 'fast-check';
import { query as evaluate, type JSONValue } from 'json-p3';
import { createJsonReader } from '../../../../src/tools/builtin/json-reader';
import { rejection } from '../../egress/cleanup';
import { toolContext } from './context';

/** The sandbox's part: evaluates paths in place and records them. */
function fakeSandbox() {
  const paths: string[] = [];
  return {
    paths,
    queryJson: (document: unknown, path: string): Promise<unknown[]> => {
      paths.push(path);
      return Promise.resolve(evaluate(path, document as JSONValue).values());
    },
  };
}

const sandbox = fakeSandbox();
const reader = createJsonReader(sandbox);
const read = (document: unknown, path: string): Promise<unknown> =>
  readText(typeof document === 'string' ? document : JSON.stringify(document), path);
const readText = async (jsonString: string, path: string): Promise<unknown> =>
  (await reader.run({ jsonString, path }, toolContext())).value;

beforeEach(() => void sandbox.paths.splice(0));

const store = {
  name: 'Ada',
  list: [
    { id: 1, price: 5 },
    { id: 2, price: 15 },
  ],
  empty: null,
  __proto: { x: 1 },
};

test.each<[string, unknown]>([
  ['$', store],
  ['$.name', 'Ada'],
  ["$['name']", 'Ada'],
  ['$.list[0]', store.list[0]],
  ['$.list[-1].id', 2],
  ['$.empty', null],
  ['$.list[*].id', [1, 2]],
  ['$.list[?@.price > 10].id', [2]],
  ['$.list[0:1]', [store.list[0]]],
  ['$..id', [1, 2]],
  ['$.nothing[*]', []],
  ['$..nothing', []],
])('%s', async (path, result) => {
  expect(await read(store, path)).toEqual({ result, path });
  expect(sandbox.paths).toEqual([]);
});

test('a length that other dialects have is hinted at', async () => {
  const { message } = await rejection(read(store, '$.list.length'));
  expect(message).toMatch(/^There is nothing at \$\.list\.length; a list has no such part/);
});

test.each(['$.nothing', '$.list[7]', '$.name.first', '$.toString', '$.__proto__'])(
  'one place with nothing there is an error: %s',
  async (path) => {
    expect(await rejection(read(store, path))).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: `There is nothing at ${path}`,
      retryable: false,
    });
  },
);

test.each([
  ['{"a":1,}', /jsonString is not JSON: unexpected "}" at line 1, column 8/],
  ['{\n"a": nope}', /unexpected "n" at line 2, column 6/],
  ['', /it ends too early at line 1, column 1/],
  ['{"a":', /it ends too early at line 1, column 6/],
])('%j is no document', async (text, message) => {
  const error = await rejection(readText(text, '$'));
  expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
  expect(error.message).toMatch(message);
});

test.each([
  ['', /must start with \$/],
  ['name', /must start with \$/],
  ['$.', /is not a JSONPath query/],
  ['$.a[', /is not a JSONPath query: unclosed/],
  ['$.list[(@.length-1)]', /in RFC 9535 the last item is \$\.a\[-1\]/],
  ['$.list.length()', /length\(\) stands in filters only/],
  ["$.list[?(@.id =~ 'a')]", /search\(@\.b, "pattern"\)/],
  ['$.list[*].@src', /written \$\['@src'\]/],
  ['$[?unknown(@)]', /no such function/],
  [`$[?${'('.repeat(1_000)}@.a${')'.repeat(1_000)}]`, /is not a JSONPath query|nothing/],
  [`$${'.a'.repeat(2_000)}`, /longer than the 2048 characters/],
])('%j is no path', async (path, message) => {
  const outcome = await readText('[]', path).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome.message).toMatch(message);
  else expect(outcome).toEqual({ result: [], path });
});

test.each([
  '$[?match(@.name, "A.*")]',
  '$[?search(@.name, "a")]',
  '$..[?search(@, "a")]',
  '$..a..b',
  '$[0,0][0,0]',
  '$[*,*]',
  '$[?count(@.*) > 1]',
  '$[?@..a]',
  '$[?@[?@.b]]',
  '$[?$[0] == $[1]]',
  `$[?${'@.a || '.repeat(200)}@.b]`,
])('%s is evaluated in the sandbox', async (path) => {
  await readText('[[{"name":"Ada"}]]', path);
  expect(sandbox.paths).toEqual([path]);
});

test('a large document goes to the sandbox, unless one branch of it is enough', async () => {
  const large = JSON.stringify({ name: 'Ada', filler: 'x'.repeat(300_000) });
  await readText(large, '$.name');
  expect(sandbox.paths).toEqual([]);
  await readText(large, '$.*');
  expect(sandbox.paths).toEqual(['$.*']);
});

test('a document of some size goes there for a query that looks at all of it', async () => {
  const values = JSON.stringify(Array.from({ length: 10_000 }, () => 'abc'));
  await readText(values, '$..a');
  expect(sandbox.paths).toEqual(['$..a']);
});

test('a long list is found whole', async () => {
  const length = 125_000;
  const found = (await readText(`[${'1,'.repeat(length - 1)}1]`, '$[*]')) as { result: unknown[] };
  expect(found.result).toHaveLength(length);
  expect(sandbox.paths).toEqual([]);
});

test('the sandbox gets what is left of the call', async () => {
  const queryJson = jest.fn(() => Promise.resolve([1]));
  const context = toolContext({ timeoutMs: 1_234 });
  await createJsonReader({ queryJson }).run({ jsonString: '[1]', path: '$[*,*]' }, context);
  expect(queryJson).toHaveBeenCalledWith([1], '$[*,*]', {
    owner: context.owner,
    timeoutMs: 1_234,
    signal: context.signal,
  });
});

test('deep nesting is an error and no crash', async () => {
  const depth = 10_000;
  const error = await rejection(readText('['.repeat(depth) + ']'.repeat(depth), '$..a'));
  expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED' });
  expect(error.message).toMatch(/nested deeper than 256 levels/);
});

test('every value of a document is found at its own path', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (document) => {
      for (const node of evaluate('$..*', document)) {
        const found = await readText(JSON.stringify(document), node.getPath({ form: 'canonical' }));
        expect(JSON.stringify(found)).toBe(
          JSON.stringify({ result: node.value, path: node.getPath({ form: 'canonical' }) }),
        );
      }
    }),
    { numRuns: 50 },
  );
});
