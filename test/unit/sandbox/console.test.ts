import { waitFor } from '../../support/wait';
import { failureOf, OWNER, PATIENT, useSandbox } from './support';

const sandbox = useSandbox({ logLines: 4, logLineLength: 40 });

async function logsOf(statements: string): Promise<readonly string[]> {
  return (await sandbox.run(`() => { ${statements} }`, {}, PATIENT)).logs;
}

test('lines come back in order, with a prefix for warnings and errors', async () => {
  expect(
    await logsOf('console.log("a", 1); console.info("b"); console.warn("c"); console.error("d")'),
  ).toEqual(['a 1', 'b', 'warn: c', 'error: d']);
  expect(await logsOf('console.debug(); console.log("")')).toEqual(['', '']);
});

test.each([
  ['objects and arrays', '{ a: [1, { b: null }] }', '{"a":[1,{"b":null}]}'],
  ['values that JSON lacks', 'undefined, NaN, -Infinity, 10n', 'undefined NaN -Infinity 10n'],
  [
    'values that JSON lacks, inside',
    '[NaN, 10n, () => 1, Symbol("s")]',
    '["NaN","10n","[function]","Symbol(s)"]',
  ],
  ['functions and symbols', '() => 1, Symbol("s")', '[function] Symbol(s)'],
  ['errors', 'new TypeError("bad"), { e: new Error("in") }', 'TypeError: bad {"e":"Error: in"}'],
  ['cycles', '(() => { const o = {}; o.o = o; return o })()', '[an object that cannot be printed]'],
  ['getters that throw', '{ get a() { throw 1 } }', '[an object that cannot be printed]'],
  ['line breaks and control characters', '"a\\n\\u0000b"', 'a\n\u0000b'],
])('%s are rendered', async (_name, values, line) => {
  expect(await logsOf(`console.log(${values})`)).toEqual([line]);
});

test('long lines are cut and many lines are counted', async () => {
  expect(await logsOf('console.log("x".repeat(40)); console.log("y".repeat(1000000), "z")')).toEqual([
    'x'.repeat(40),
    'y'.repeat(40) + '…',
  ]);
  expect(await logsOf('for (let i = 0; i < 5; i += 1) console.log(i)')).toEqual([
    '0',
    '1',
    '2',
    '3',
    '(1 more line dropped)',
  ]);
  const many = await logsOf('for (let i = 0; i < 10000; i += 1) console.log(i)');
  expect(many.at(-1)).toBe('(9996 more lines dropped)');
});

test('lines written before a failure come with the error', async () => {
  const thrown = await failureOf(
    sandbox.run('() => { console.log("before"); throw new Error("x") }', {}, PATIENT),
  );
  expect(thrown).toMatchObject({ message: 'Error: x (line 1)', details: { logs: ['before'] } });
  const stop = () =>
    failureOf(
      sandbox.run('() => { console.log("before"); while (true) {} }', {}, { owner: OWNER, timeoutMs: 2_000 }),
    );
  // The lines are lost if the thread does not stop itself in time, which happens on a busy machine.
  const stopped = await waitFor(
    async () => {
      const failure = await stop();
      expect(failure.code).toBe('TOOL_TIMEOUT');
      return failure.details && failure;
    },
    { what: 'a call that stops itself in time' },
  );
  expect(stopped.details).toEqual({ logs: ['before'] });
});

test('a changed console or changed built-ins change no bound', async () => {
  const logs = await logsOf(`
    String.prototype.slice = () => 'fake'; JSON.stringify = () => 'fake'; Function.prototype.apply = null;
    const { log } = console; console = null;
    for (let i = 0; i < 10; i += 1) log('x'.repeat(100));
  `);
  expect(logs).toEqual([...Array<string>(4).fill('x'.repeat(40) + '…'), '(6 more lines dropped)']);
});
