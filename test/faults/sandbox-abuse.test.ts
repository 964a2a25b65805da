import type { Sandbox } from '../../src/sandbox/sandbox';
import { expectAlive, failureOf, OWNER, PATIENT, useSandbox } from '../unit/sandbox/support';

const sandbox = useSandbox({ memoryBytes: 24 * 1024 * 1024 });

/** A plain call before and after each case, on the only thread of the pool, shows that the thread still works. */
beforeAll(() => expectAlive(sandbox));
afterEach(() => expectAlive(sandbox));

describe('code that takes much memory', () => {
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

describe('code that recurses', () => {
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
      expect(await fragile.check('['.repeat(500_000), OWNER)).toEqual({
        message: 'the code is too long, or nested too deeply, to parse',
        line: 1,
        column: 1,
      });
    });
  });
});
