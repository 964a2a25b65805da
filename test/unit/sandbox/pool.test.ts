import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type * as workerThreads from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import { HoldfastError } from '../../../src/base/errors';
import type { RunOwner } from '../../../src/contracts/runs/run-owner';
import { createSandbox } from '../../../src/sandbox/create-sandbox';
import type { Sandbox } from '../../../src/sandbox/sandbox';
import { expectAlive, failureOf, OWNER, PATIENT } from './support';

/** Every real thread that was started, so that a test can count them and wait for their end. */
const mockStarted: Worker[] = [];
jest.mock('node:worker_threads', () => {
  const actual = jest.requireActual<typeof workerThreads>('node:worker_threads');
  class WatchedWorker extends actual.Worker {
    constructor(...args: ConstructorParameters<typeof actual.Worker>) {
      super(...args);
      mockStarted.push(this);
    }
  }
  return { ...actual, Worker: WatchedWorker };
});

const ENDLESS = '() => { while (true) {} }';
const NATIVE = '() => new Array(4294967295).join("x")';
/** Runs code until the test aborts it. */
const HELD = { owner: OWNER, timeoutMs: 60_000 };

let sandbox: Sandbox;
function open(threads: number, idleMs?: number): Sandbox {
  sandbox = createSandbox({ threads, limits: {}, ...(idleMs === undefined ? {} : { idleMs }) });
  return sandbox;
}

beforeEach(() => {
  mockStarted.length = 0;
});
afterEach(() => sandbox.close());

/** Resolves when the thread has ended. A thread that is gone has the id -1. */
async function ended(worker: Worker): Promise<void> {
  if (worker.threadId !== -1) await once(worker, 'exit');
}

/** Occupies a thread with code that does not end; `release` aborts it and waits until the call is settled. */
function hold(target: Sandbox, source = ENDLESS) {
  const controller = new AbortController();
  const settled = failureOf(target.run(source, {}, { ...HELD, signal: controller.signal }));
  return {
    release: async () => {
      controller.abort(new Error('released'));
      return settled;
    },
  };
}

describe('threads', () => {
  test('none starts before the first call, and one is used again', async () => {
    open(2);
    expect(mockStarted).toHaveLength(0);
    for (let call = 0; call < 5; call += 1) await expectAlive(sandbox);
    expect(mockStarted).toHaveLength(1);
  });

  test('there are never more than the setting allows', async () => {
    open(2);
    const calls = Array.from({ length: 50 }, (_, index) =>
      sandbox.run('(args) => args', index, { ...PATIENT, owner: { tenant: `t${index % 5}` } }),
    );
    const results = await Promise.all(calls);
    expect(results.map(({ value }) => value)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(mockStarted).toHaveLength(2);
  });

  test('one is replaced after an interrupt, exhausted memory or a native call, and not after an error', async () => {
    open(1);
    const abuses: [string, number][] = [
      ['() => { throw new Error("x") }', 1],
      ['() => NaN', 1],
      ['() => new Promise(() => {})', 1],
      ['() => { const f = () => 1 + f(); return f() }', 1],
      ['not ( code', 1],
      [ENDLESS, 2],
      [NATIVE, 3],
      ['() => "x".repeat(2 ** 29)', 4],
    ];
    for (const [source, threads] of abuses) {
      // Only what never ends has a short limit, because a busy machine may need long for all others.
      const limits = source === ENDLESS || source === NATIVE ? { owner: OWNER, timeoutMs: 1_000 } : HELD;
      await failureOf(sandbox.run(source, {}, limits));
      await expectAlive(sandbox);
      expect([source, mockStarted.length]).toEqual([source, threads]);
    }
    await Promise.all(mockStarted.slice(0, 3).map(ended));
  });

  test('an idle one ends, and the next call starts another', async () => {
    open(2, 20);
    await expectAlive(sandbox);
    await ended(mockStarted[0]!);
    await expectAlive(sandbox);
    expect(mockStarted).toHaveLength(2);
  });

  test('one that dies by itself fails its call, to be tried again', async () => {
    open(1);
    await expectAlive(sandbox);
    const call = failureOf(sandbox.run(ENDLESS, {}, HELD));
    await mockStarted[0]!.terminate();
    expect(await call).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: 'The sandbox thread ended unexpectedly',
      retryable: true,
    });
    await expectAlive(sandbox);
  });

  test('idle ones do not keep a process alive', async () => {
    open(1);
    const script = `
      const { createSandbox } = require(${JSON.stringify(join(__dirname, '../../../dist/src/sandbox/create-sandbox'))});
      const sandbox = createSandbox({ threads: 2, limits: {}, idleMs: 600000 });
      sandbox.run('() => { console.log("x"); return "done" }', {}, { owner: { tenant: 'default' }, timeoutMs: 20000 }).then(({ value }) => console.log(value));
    `;
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 15_000,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toBe('done\n');
  });
});

describe('deadlines', () => {
  test('time spent waiting for a thread counts', async () => {
    open(1);
    const held = hold(sandbox);
    const error = await failureOf(sandbox.run('() => 1', {}, { owner: OWNER, timeoutMs: 50 }));
    expect(error).toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: 'The tool waited 50 ms for a free sandbox thread',
      retryable: true,
    });
    await held.release();
    await expectAlive(sandbox);
  });

  test('a call whose time is over never starts', async () => {
    open(1);
    for (const timeoutMs of [0, -5]) {
      expect(await failureOf(sandbox.run('() => 1', {}, { owner: OWNER, timeoutMs }))).toMatchObject({
        code: 'TOOL_TIMEOUT',
      });
    }
    expect(mockStarted).toHaveLength(0);
  });

  test('a limit beyond what a timer can hold is no limit', async () => {
    open(1);
    expect(
      (await sandbox.run('() => 1', {}, { owner: OWNER, timeoutMs: Number.MAX_SAFE_INTEGER })).value,
    ).toBe(1);
  });

  test('calls that wait run in order, also after the thread before them was terminated', async () => {
    open(1);
    const held = hold(sandbox, NATIVE);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (index) => {
      const { value } = await sandbox.run('(args) => args', index, PATIENT);
      order.push(value as number);
    });
    await held.release();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });
});

describe('callers share the threads', () => {
  /** Starts calls that do not end, and returns what tells how many have ended and what ends them. */
  function greedy(count: number, owner: RunOwner) {
    const controller = new AbortController();
    let done = 0;
    const calls = Array.from({ length: count }, async () => {
      await failureOf(sandbox.run(ENDLESS, {}, { ...HELD, owner, signal: controller.signal }));
      done += 1;
    });
    return {
      done: () => done,
      release: async () => {
        controller.abort(new Error('released'));
        await Promise.all(calls);
      },
    };
  }
  const answer = async (owner: RunOwner): Promise<unknown> =>
    (await sandbox.run('() => 1', {}, { ...PATIENT, owner })).value;

  test('many calls of one tenant leave a thread to another one', async () => {
    open(2);
    const { done, release } = greedy(8, { tenant: 'greedy' });
    for (let call = 0; call < 3; call += 1) expect(await answer({ tenant: 'honest' })).toBe(1);
    expect([done(), mockStarted.length]).toEqual([0, 2]);
    await release();
  });

  test('many calls of one user leave a thread to others of the tenant', async () => {
    open(4);
    const { done, release } = greedy(8, { tenant: 'a', user: 'greedy' });
    for (const user of ['honest', undefined]) expect(await answer({ tenant: 'a', user })).toBe(1);
    expect([done(), mockStarted.length]).toEqual([0, 2]);
    await release();
  });

  test('a tenant has no more by naming many users', async () => {
    open(2);
    const users = Array.from({ length: 8 }, (_, index) => greedy(1, { tenant: 'greedy', user: `${index}` }));
    expect(await answer({ tenant: 'honest' })).toBe(1);
    expect(users.map(({ done }) => done())).toEqual(Array(8).fill(0));
    await Promise.all(users.map(({ release }) => release()));
  });

  test('with one thread, a caller waits for the call that runs and one more, and not for all behind it', async () => {
    open(1);
    const ahead = [hold(sandbox), hold(sandbox)];
    const { done, release } = greedy(8, OWNER);
    const honest = answer({ tenant: 'honest' });
    for (const call of ahead) await call.release();
    expect(await honest).toBe(1);
    expect(done()).toBe(0);
    await release();
  });

  test('a caller with too many calls is refused more at once, to be tried again, and another one is not', async () => {
    sandbox = createSandbox({ threads: 2, maxCalls: 8, limits: {} });
    const { done, release } = greedy(4, { tenant: 'greedy' });
    expect(
      await failureOf(sandbox.run('() => 1', {}, { ...HELD, owner: { tenant: 'greedy' } })),
    ).toMatchObject({ code: 'TOOL_TIMEOUT', retryable: true, neverBegan: true });
    expect(await answer({ tenant: 'honest' })).toBe(1);
    expect(done()).toBe(0);
    await release();
    expect(await answer({ tenant: 'greedy' })).toBe(1);
  });

  test('a source is checked while calls of another tenant take all of their part', async () => {
    open(2);
    const { release } = greedy(8, { tenant: 'greedy' });
    expect(await sandbox.check('() => 1', { tenant: 'honest' })).toBeUndefined();
    await release();
  });
});

describe('cancellation', () => {
  test.each([
    ['interpreted code', ENDLESS],
    ['a native call', NATIVE],
  ])('ends the thread that runs %s and rejects with the reason', async (_name, source) => {
    open(1);
    const controller = new AbortController();
    const reason = new Error('cancelled by the caller');
    const call = failureOf(sandbox.run(source, {}, { ...HELD, signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toBe(reason);
    await ended(mockStarted[0]!);
    await expectAlive(sandbox);
  });

  test('of a call that waits takes no thread', async () => {
    open(1);
    const held = hold(sandbox);
    const controller = new AbortController();
    const waiting = failureOf(sandbox.run('() => 1', {}, { ...HELD, signal: controller.signal }));
    controller.abort('a reason that is no error');
    expect(await waiting).toBe('a reason that is no error');
    expect(mockStarted).toHaveLength(1);
    await held.release();
    await expectAlive(sandbox);
  });

  test('before the call starts nothing', async () => {
    open(1);
    const reason = new Error('too late');
    expect(await failureOf(sandbox.run('() => 1', {}, { ...HELD, signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(await failureOf(sandbox.queryJson({}, '$', { ...HELD, signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(mockStarted).toHaveLength(0);
  });

  test('after the call changes nothing, and leaves no listener', async () => {
    open(1);
    const controller = new AbortController();
    const removed = jest.spyOn(controller.signal, 'removeEventListener');
    await sandbox.run('() => 1', {}, { ...HELD, signal: controller.signal });
    expect(removed).toHaveBeenCalledTimes(1);
    controller.abort();
    await expectAlive(sandbox);
    expect(mockStarted).toHaveLength(1);
  });

  test('by a timeout is a timeout', async () => {
    open(1);
    const own = new HoldfastError('TOOL_TIMEOUT', 'the deadline of the run');
    expect(
      await failureOf(sandbox.run(ENDLESS, {}, { ...HELD, signal: AbortSignal.timeout(20) })),
    ).toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: 'The tool did not finish in time',
    });
    expect(await failureOf(sandbox.run(ENDLESS, {}, { ...HELD, signal: AbortSignal.abort(own) }))).toBe(own);
  });
});

test('many calls of every kind at once each get their own outcome', async () => {
  open(2);
  const kinds = [
    async (index: number) => {
      const { value } = await sandbox.run(
        'async (args) => { console.log(args); return args * 2 }',
        index,
        PATIENT,
      );
      expect(value).toBe(index * 2);
    },
    async (index: number) => {
      const error = await failureOf(
        sandbox.run('(args) => { throw new Error("no " + args) }', index, PATIENT),
      );
      expect(error.message).toBe(`Error: no ${index} (line 1)`);
    },
    async (index: number) => {
      expect(await sandbox.queryJson({ items: [index] }, '$.items[0]', PATIENT)).toEqual([index]);
    },
    async (index: number) => {
      const problem = await sandbox.check(`${'\n'.repeat(index)}return ];`, OWNER);
      expect(problem).toMatchObject({ line: index + 1, column: 8 });
    },
    async () => {
      const controller = new AbortController();
      const call = failureOf(sandbox.run(ENDLESS, {}, { ...HELD, signal: controller.signal }));
      setImmediate(() => {
        controller.abort(new Error('enough'));
      });
      expect((await call).message).toBe('enough');
    },
  ];
  await Promise.all(Array.from({ length: 100 }, (_, index) => kinds[index % kinds.length]!(index)));
  await expectAlive(sandbox);
});

describe('closing', () => {
  test('rejects what runs, what waits and what comes later, and ends every thread', async () => {
    open(1);
    await expectAlive(sandbox);
    const calls = [ENDLESS, NATIVE, '() => 1'].map((source) => failureOf(sandbox.run(source, {}, HELD)));
    await sandbox.close();
    const closed = { code: 'TOOL_EXECUTION_FAILED', message: 'The sandbox was closed', retryable: true };
    for (const call of calls) expect(await call).toMatchObject(closed);
    for (const worker of mockStarted) expect(worker.threadId).toBe(-1);
    expect(await failureOf(sandbox.run('() => 1', {}, PATIENT))).toMatchObject(closed);
    expect(await failureOf(sandbox.check('() => 1', OWNER))).toMatchObject(closed);
    expect(mockStarted).toHaveLength(1);
    await sandbox.close();
  });
});

test('a stack beyond what the engine has is refused', () => {
  open(1);
  expect(() => createSandbox({ threads: 1, limits: { stackBytes: 5 * 1024 * 1024 } })).toThrow(/stackBytes/);
});
