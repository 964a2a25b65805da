import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { PATIENT, useSandbox } from './support';

const sandbox = useSandbox();

async function valueOf(source: string, args: unknown = { a: 2, b: 3 }): Promise<unknown> {
  return (await sandbox.run(source, args, PATIENT)).value;
}

describe('source forms', () => {
  test.each([
    ['an arrow function', '(args) => args.a + args.b', 5],
    ['an arrow function with a block', 'args => {\n  const sum = args.a + args.b;\n  return sum;\n}', 5],
    ['an arrow function that takes its argument apart', '({ a, b }) => a * b', 6],
    ['an anonymous function', 'function (args) { return args.b }', 3],
    ['a named function', 'function add(args) { return args.a + args.b }', 5],
    ['an async arrow function', 'async (args) => (await Promise.resolve(args.a)) + 1', 3],
    ['an async function', 'async function (args) { await null; return args.b }', 3],
    ['a function that returns a promise', '(args) => Promise.resolve(args.a)', 2],
    ['a function that returns a thenable', '(args) => ({ then(done) { done(args.a) } })', 2],
    ['a method as toString prints it', 'execute(args) { return args.a }', 2],
    ['an async method', 'async execute(args) {\n  return await args.b\n}', 3],
    ['a body', 'const sum = args.a + args.b;\nreturn sum * 2', 10],
    ['a body that waits', 'const a = await Promise.resolve(args.a);\nreturn a', 2],
    ['a body that starts with a call', 'Math.max(1, 2); return args.b', 3],
    ['a body that starts like a method', 'if (args.a > 1) { return "big" }\nreturn "small"', 'big'],
    ['a body with functions', 'function twice(x) { return 2 * x }\nreturn twice(args.b)', 6],
    ['a bare expression', 'args.a * 7', 14],
    ['a bare expression that waits', 'await Promise.resolve(args.b)', 3],
    ['a bare object', '({ sum: args.a + args.b })', { sum: 5 }],
    ['a body without a result', 'const unused = args.a;', null],
    ['loose assignments, as in sloppy code', 'total = args.a; return total + 1', 3],
  ])('%s', async (_name, source, expected) => {
    expect(await valueOf(source)).toEqual(expected);
  });

  test.each([
    ['a semicolon', '(args) => args.a;'],
    ['a comment', '(args) => args.a // the first'],
    ['a semicolon and a comment', '(args) => args.a; // the first; // and only\n'],
    ['a block comment', 'function (args) { return args.a } /* a /* b */;\n\n'],
    ['a comment with an address', '(args) => args.a; // see http://example.com/a;'],
    ['blank lines around it', '\n\n  (args) => args.a\n\n'],
    ['Windows line ends', '(args) =>\r\n  args.a;\r\n'],
  ])('a function followed by %s is still a function', async (_name, source) => {
    expect(await valueOf(source)).toBe(2);
  });

  test('text that looks like a comment inside a string is kept', async () => {
    expect(await valueOf('"http://example.com"; // note')).toBe('http://example.com');
    expect(await valueOf('return "/* no comment */" + `// ${args.a}`')).toBe('/* no comment */// 2');
  });

  test('jobs run until the promise settles', async () => {
    const source = `async () => { let n = 0; for (let i = 0; i < 5000; i += 1) { await null; n += 1 } return n }`;
    expect(await valueOf(source)).toBe(5000);
  });
});

describe('arguments and results', () => {
  test('JSON values go through an identity tool unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(await valueOf('(args) => args', plain)).toStrictEqual(plain);
      }),
      { numRuns: 200 },
    );
  });

  test('texts of any characters go through unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
        expect(await valueOf('(args) => [args, args.length]', text)).toEqual([text, text.length]);
      }),
      { numRuns: 100 },
    );
    const odd = '\ud800 \u0000 \u2028 " \\ é 😀';
    expect(await valueOf('(args) => args.text', { text: odd })).toBe(odd);
    expect(await valueOf('() => "é😀\u2029"')).toBe('é😀\u2029');
  });

  test('keys that name prototype members are plain data both ways', async () => {
    const args: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}');
    const seen = await valueOf('(args) => [args.polluted ?? null, Object.keys(args), args]', args);
    expect(JSON.stringify(seen)).toBe(
      '[null,["__proto__","constructor"],{"__proto__":{"polluted":1},"constructor":{"prototype":2}}]',
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('missing arguments are null', async () => {
    expect(await valueOf('(args) => args', null)).toBeNull();
    expect((await sandbox.run('(args) => args', undefined, PATIENT)).value).toBeNull();
  });

  test.each([
    ['undefined', '() => undefined', null],
    ['undefined inside', '() => ({ a: undefined, b: [undefined] })', { b: [null] }],
    ['minus zero', '() => -0', 0],
    ['a date', '() => new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['toJSON', '() => ({ toJSON() { return { kept: true } } })', { kept: true }],
    [
      'a value used twice',
      '() => { const o = { x: 1 }; return [o, { o }, o] }',
      [{ x: 1 }, { o: { x: 1 } }, { x: 1 }],
    ],
  ])('%s becomes JSON', async (_name, source, expected) => {
    expect(await valueOf(source)).toEqual(expected);
  });
});
