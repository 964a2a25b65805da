import { failureOf, PATIENT, useSandbox } from './support';

const sandbox = useSandbox({ outputBytes: 10_000 });

function failure(source: string, args: unknown = {}) {
  return failureOf(sandbox.run(source, args, PATIENT));
}

describe('what a tool throws', () => {
  test.each([
    ['an Error', '() => { throw new Error("boom") }', 'Error: boom (line 1)'],
    ['an Error in a body', 'const a = 1;\nthrow new TypeError("wrong " + a)', 'TypeError: wrong 1 (line 2)'],
    [
      'an error of the engine',
      '(args) => {\n  const x = null;\n\n  return x.y;\n}',
      "TypeError: cannot read property 'y' of null (line 4)",
    ],
    [
      'an error in a helper',
      'const f = () => {\n  throw new Error("deep");\n};\nreturn f()',
      'Error: deep (line 2)',
    ],
    [
      'a rejection',
      'async () => {\n  await null;\n  throw new RangeError("late");\n}',
      'RangeError: late (line 3)',
    ],
    ['a name that is missing', 'missing + 1', "ReferenceError: 'missing' is not defined (line 1)"],
    [
      'an own class',
      'class Odd extends Error { get name() { return "Odd" } } throw new Odd("x")',
      'Odd: x (line 1)',
    ],
    ['an error without a message', '() => { throw new Error() }', 'Error (line 1)'],
    ['a message getter', '() => { throw { name: "N", get message() { return "got" } } }', 'N: got'],
    [
      'a message getter that throws',
      '() => { throw { get message() { throw 1 } } }',
      'The tool threw an object that cannot be read',
    ],
    [
      'a proxy that throws',
      '() => { throw new Proxy({}, { get() { throw 1 } }) }',
      'The tool threw an object that cannot be read',
    ],
    ['a string', '() => { throw "plain" }', 'The tool threw "plain"'],
    ['a number', '() => { throw 7 }', 'The tool threw 7'],
    ['undefined', '() => { throw undefined }', 'The tool threw undefined'],
    ['a symbol', '() => { throw Symbol("s") }', 'The tool threw Symbol(s)'],
    ['an object', '() => { throw { code: 7 } }', 'The tool threw {"code":7}'],
    ['a rejection with nothing', '() => Promise.reject()', 'The tool threw undefined'],
    [
      'a class that is no tool',
      'class Tool {}',
      "TypeError: class constructors must be invoked with 'new' (line 1)",
    ],
  ])('%s', async (_name, source, message) => {
    expect(await failure(source)).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message,
      retryable: false,
      details: undefined,
    });
  });

  test('null, which the engine also throws where no memory is left for an error', async () => {
    const { message } = await failure('() => { throw null }');
    expect(message).toMatch(/^The tool threw null, or ran out of memory \(the limit is \d+ bytes\)$/);
  });

  test('a message of any length is bounded', async () => {
    const { message } = await failure('() => { throw new Error("x".repeat(1000000)) }');
    expect(message.length).toBeGreaterThan(1_000);
    expect(message.length).toBeLessThan(2_100);
  });

  test('a promise that nothing can settle', async () => {
    for (const source of [
      '() => new Promise(() => {})',
      'await new Promise(() => {})',
      '() => ({ then() {} })',
    ]) {
      const { code, message } = await failure(source);
      expect(code).toBe('TOOL_EXECUTION_FAILED');
      expect(message).toContain('The promise never settles');
    }
  });

  test('source that does not parse', async () => {
    expect(await failure('(args) => {\n  return args.a + ;\n}')).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: "The code does not parse: unexpected token in expression: ';' (line 2, column 19)",
    });
  });
});

describe('results that are no JSON', () => {
  test.each([
    ['NaN', '() => NaN', 'The result is NaN, which JSON cannot hold'],
    ['Infinity', '() => Infinity', 'The result is Infinity, which JSON cannot hold'],
    [
      'NaN inside',
      '() => ({ rows: [1, { price: 0 / 0 }] })',
      'The result has NaN at rows[1].price, which JSON cannot hold',
    ],
    [
      '-Infinity under an odd name',
      '() => [{ "a b": -1 / 0 }]',
      'The result has -Infinity at [0]["a b"], which JSON cannot hold',
    ],
    [
      'NaN from toJSON',
      '() => ({ o: { toJSON: () => NaN } })',
      'The result has NaN at o, which JSON cannot hold',
    ],
    [
      'NaN after siblings',
      '() => ({ a: { b: { c: 1 } }, d: [[1], NaN] })',
      'The result has NaN at d[1], which JSON cannot hold',
    ],
    ['a BigInt', '() => 10n', 'The result is a BigInt, which JSON cannot hold'],
    ['a function', '() => () => 1', 'The result is a function, which JSON cannot hold'],
    ['a function inside', '() => ({ f() {} })', 'The result has a function at f, which JSON cannot hold'],
    ['a symbol', '() => [Symbol("s")]', 'The result has a symbol at [0], which JSON cannot hold'],
    [
      'a cycle',
      '() => { const o = { k: {} }; o.k.o = o; return o }',
      'The result refers to itself at k.o, which JSON cannot hold',
    ],
    [
      'a long cycle',
      '() => { const a = []; a.push([[[a]]]); return { a } }',
      'The result refers to itself at a[0][0][0][0], which JSON cannot hold',
    ],
    [
      'a body that returns a function',
      'return (args) => args',
      'The result is a function, which JSON cannot hold',
    ],
    ['a throwing toJSON', '() => ({ toJSON() { throw new Error("no") } })', 'Error: no (line 1)'],
  ])('%s', async (_name, source, message) => {
    expect(await failure(source)).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', message, retryable: false });
  });

  test('nesting up to the limit passes, one more does not', async () => {
    const nest = (levels: number) =>
      `() => { let v = 1; for (let i = 0; i < ${levels}; i += 1) v = [v]; return v }`;
    const { value } = await sandbox.run(nest(256), {}, PATIENT);
    expect(JSON.stringify(value)).toBe('['.repeat(256) + '1' + ']'.repeat(256));
    const message = 'The result is nested deeper than 256 levels';
    expect(await failure(nest(257))).toMatchObject({ message });
    expect(await failure(nest(100_000))).toMatchObject({ message });
  });

  test('a result as long as the limit passes, a longer one does not', async () => {
    const { value } = await sandbox.run('() => "x".repeat(9998)', {}, PATIENT);
    expect(value).toHaveLength(9_998);
    const message = 'The result is longer than 10000 bytes of JSON';
    expect(await failure('() => "x".repeat(9999)')).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', message });
    // The text has fewer characters than the limit, but more bytes.
    expect(await failure('() => "é".repeat(5000)')).toMatchObject({ message });
    expect(await failure('() => Array(2000000).fill(1)')).toMatchObject({ message });
  });

  test('changed built-ins do not hide what is wrong with a result', async () => {
    const source = `() => {
      JSON.stringify = () => '"fake"';
      Array.isArray = () => true;
      Number.isFinite = () => true;
      Object.defineProperty(Array.prototype, '0', { set() {}, get() { return 'fake' } });
      Object.defineProperty(Object.prototype, '1', { set() {}, get() { return 'fake' } });
      Promise.prototype.then = undefined;
      return { list: { one: { two: NaN } } };
    }`;
    expect(await failure(source)).toMatchObject({
      message: 'The result has NaN at list.one.two, which JSON cannot hold',
    });
  });

  test('nor what is thrown', async () => {
    const source = `() => {
      for (const { prototype } of [Object, String, Array]) prototype.toJSON = () => 'y'.repeat(1000000);
      Array.prototype[Symbol.iterator] = null;
      throw new Error('still told');
    }`;
    expect(await failure(source)).toMatchObject({ message: 'Error: still told (line 4)' });
  });
});

test('arguments nested too deeply never reach the code', async () => {
  const nested: unknown = JSON.parse('['.repeat(257) + ']'.repeat(257));
  expect(await failure('() => 1', nested)).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: 'The arguments are nested deeper than 256 levels',
  });
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  expect(await failure('() => 1', cyclic)).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: expect.stringContaining('The arguments cannot be written as JSON'),
  });
});
