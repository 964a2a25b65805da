import type { Sandbox } from '../../src/sandbox';
import { expectAlive, failureOf, PATIENT, useSandbox } from '../unit/sandbox/support';

const SHORT = { timeoutMs: 150 };
/** Shorter than the native calls take without an interruption, and much longer than the time limit of a call. */
const NATIVE_CALL_MS = 10_000;
const sandbox = useSandbox({ memoryBytes: 24 * 1024 * 1024 });

/** A plain call before and after each case, on the only thread of the pool, shows that the thread still works. */
beforeAll(() => expectAlive(sandbox));
afterEach(() => expectAlive(sandbox));

describe('code that does not end', () => {
  test.each([
    ['a loop', '() => { while (true) {} }'],
    ['a loop in a bare body', 'for (;;);'],
    [
      'a loop that catches what stops it',
      '() => { for (;;) { try { for (;;); } catch {} finally { for (;;); } } }',
    ],
    ['an endless chain of promises', 'async () => { for (;;) await null }'],
    ['two promises that start each other', '() => { const f = () => Promise.resolve().then(f); return f() }'],
    ['a getter of the result', '() => ({ get a() { for (;;); } })'],
    ['a getter of the error', '() => { throw { get message() { for (;;); } } }'],
    ['a thenable', '() => ({ then() { for (;;); } })'],
    ['a regular expression', '() => /(a+)+$/.test("a".repeat(40) + "b")'],
    ['a sort that never agrees', '() => { for (;;) [3, 1, 2].sort(() => Math.random() - 0.5) }'],
    ['a native call that cannot be interrupted', '() => new Array(4294967295).join("x")'],
    ['another native call', '() => { const a = []; a.length = 4294967295; return a.lastIndexOf(1) }'],
  ])(
    '%s',
    async (_name, source) => {
      const error = await failureOf(sandbox.run(source, {}, SHORT));
      expect(error).toMatchObject({
        code: 'TOOL_TIMEOUT',
        message: 'The tool did not finish within 150 ms',
        retryable: false,
      });
    },
    NATIVE_CALL_MS,
  );
});

describe('code that takes too much memory', () => {
  test.each([
    ['strings', '() => { const a = []; for (;;) a.push("x".repeat(100000) + a.length) }'],
    ['small strings', '() => { const a = []; for (;;) a.push("y" + a.length) }'],
    ['arrays', '() => { const a = []; for (;;) a.push([1, 2, 3, 4]) }'],
    ['buffers', '() => { const a = []; for (;;) a.push(new Uint8Array(100000)) }'],
    ['one huge buffer', '() => new ArrayBuffer(2 ** 30)'],
    ['one huge string', '() => "x".repeat(2 ** 29)'],
    ['maps', '() => { const m = new Map(); for (let i = 0; ; i += 1) m.set(i, {}) }'],
    ['promises', 'async () => { const a = []; for (;;) { a.push(new Promise(() => {})); await null } }'],
    ['a result', '() => Array(3000000).fill("12345678")'],
  ])('%s', async (_name, source) => {
    const error = await failureOf(sandbox.run(source, {}, PATIENT));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toContain('ran out of memory (the limit is 25165824 bytes)');
  });

  test('a tool may catch the error and go on', async () => {
    const source = `() => { let a = []; try { for (;;) a.push(new Uint8Array(100000)) } catch { return a.length } }`;
    const { value } = await sandbox.run(source, {}, PATIENT);
    // The limit is kept: 24 MiB are about 250 such buffers.
    expect(value).toBeGreaterThan(200);
    expect(value).toBeLessThan(330);
  });

  test('memory in use does not add up over calls', async () => {
    const source =
      '() => { const a = []; for (let i = 0; i < 150; i += 1) a.push(new Uint8Array(100000)); return a.length }';
    for (let call = 0; call < 5; call += 1) {
      expect((await sandbox.run(source, {}, PATIENT)).value).toBe(150);
    }
  });
});

describe('code that recurses without end', () => {
  test.each([
    ['a function', '() => { const f = (n) => 1 + f(n + 1); return f(0) }'],
    ['through a native call', '() => { const f = () => [1].map(f); return f() }'],
    ['through a conversion', '() => { const o = { toString() { return "" + o } }; return "" + o }'],
    ['a getter of the result', '() => { const o = { get a() { return [o.a] } }; return o }'],
    ['JSON text', '() => JSON.parse("[".repeat(100000))'],
  ])('%s', async (_name, source) => {
    const error = await failureOf(sandbox.run(source, {}, PATIENT));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toMatch(
      /^The tool recursed too deeply \(the stack limit is 262144 bytes\) \(line 1\)$/,
    );
  });

  test('enough of it is allowed', async () => {
    const { value } = await sandbox.run(
      '() => { const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return f(1000) }',
      {},
      PATIENT,
    );
    expect(value).toBe(1_000);
  });
});

describe('code that breaks the engine', () => {
  // The stack limit is so large that the native stack below QuickJS ends first during parsing.
  const fragile = useSandbox({ stackBytes: 4 * 1024 * 1024 });

  async function expectSurvival(call: (fragile: Sandbox) => Promise<void>): Promise<void> {
    await call(fragile);
    await expectAlive(fragile);
  }

  test('while it runs', async () => {
    await expectSurvival(async () => {
      const error = await failureOf(
        fragile.run('() => { console.log("before"); return eval("[".repeat(500000)) }', {}, PATIENT),
      );
      expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', details: { logs: ['before'] } });
      expect(error.message).toMatch(/recursed too deeply|made the engine of the sandbox fail/);
    });
  });

  test('while it is parsed', async () => {
    await expectSurvival(async () => {
      expect(await fragile.check('['.repeat(500_000))).toEqual({
        message: 'the code is too long, or nested too deeply, to parse',
        line: 1,
        column: 1,
      });
    });
  });
});
