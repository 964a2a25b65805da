import { BytesInFlight } from '../../../src/base/async/bytes-in-flight';
import type { JsonSchema, ToolImplementation, ToolParameters } from '../../../src/contracts/http/tools';
import type { ToolStep } from '../../../src/contracts/runs/tools';
import { toolError } from '../../../src/base/errors';
import type { Sandbox } from '../../../src/sandbox/sandbox';
import { argumentChecks } from '../../support/argument-checks';
import { createToolRunner } from '../../../src/tools/runner';
import type { BuiltinTool, HttpTools, RemoteTools, ToolContext, ToolOutput } from '../../../src/tools/tool';

const sandbox: Sandbox = {
  run: (source, args) => Promise.resolve({ value: { source, args }, logs: ['line'] }),
  check: () => Promise.resolve(undefined),
  rewriteJson: () => Promise.resolve(undefined),
  queryJson: () => Promise.resolve([]),
  checkBySchema: () => Promise.resolve({ problems: [] }),
  close: () => Promise.resolve(),
};

const remote: RemoteTools = {
  call: ({ implementation, args }) => Promise.resolve({ value: { tool: implementation.tool, args } }),
};

const http: HttpTools = {
  call: ({ implementation, args }) => Promise.resolve({ value: { url: implementation.url, args } }),
};

function runnerOf(run: (context: ToolContext) => Promise<ToolOutput>, maxResultBytes = 1_000) {
  const tool: BuiltinTool = {
    name: 'tool',
    description: '',
    inputSchema: {},
    run: (_args, context) => run(context),
  };
  return createToolRunner({
    builtins: new Map([['tool', tool]]),
    sandbox,
    checks: argumentChecks,
    remote,
    http,
    maxResultBytes,
    inFlight: new BytesInFlight(Infinity),
  });
}

interface StepOptions {
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly implementation?: ToolImplementation;
  readonly inputSchema?: JsonSchema;
  readonly parameters?: ToolParameters;
}

function step({
  timeoutMs = 5_000,
  maxAttempts = 3,
  implementation,
  ...carried
}: StepOptions = {}): ToolStep {
  return {
    toolName: 'tool',
    args: { a: 1 },
    implementation: implementation ?? { kind: 'builtin' },
    step: '1',
    deadline: Date.now() + timeoutMs,
    limits: { timeoutMs, source: 'TOOL_TIMEOUT_MS', maxAttempts },
    ...carried,
  };
}

const never = new AbortController().signal;
const first = { owner: { tenant: 'default' }, cancellation: never, attempt: 1 };

test('a built-in tool runs in place, source in the sandbox, and a remote one or a request at its server', async () => {
  const runner = runnerOf(() => Promise.resolve({ value: 42 }));
  expect(await runner.run(step(), first)).toEqual({ value: 42 });
  const source = await runner.run(step({ implementation: { kind: 'source', source: 'x' } }), first);
  expect(source).toEqual({ value: { source: 'x', args: { a: 1 } }, logs: ['line'] });
  const remoteTool = { kind: 'mcp', server: 'shop', tool: 'find', digest: 'd' } as const;
  const answer = await runner.run(step({ implementation: remoteTool }), first);
  expect(answer).toEqual({ value: { tool: 'find', args: { a: 1 } } });
  const requested = await runner.run(
    step({ implementation: { kind: 'http', method: 'GET', url: 'u' } }),
    first,
  );
  expect(requested).toEqual({ value: { url: 'u', args: { a: 1 } } });
});

test('a definition without an implementation, and a built-in this worker lacks, say so', async () => {
  const runner = createToolRunner({
    builtins: new Map(),
    sandbox,
    checks: argumentChecks,
    remote,
    http,
    maxResultBytes: 10,
    inFlight: new BytesInFlight(Infinity),
  });
  await expect(runner.run(step(), first)).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    retryable: false,
  });
  await expect(runner.run(step({ implementation: { kind: 'none' } }), first)).rejects.toThrow(
    /without an implementation/,
  );
});

test.each<[string, StepOptions]>([
  ['a schema', { inputSchema: { properties: { a: { type: 'string' } } } }],
  [
    'the parameters of an earlier build',
    { parameters: { a: { type: 'string', description: '', required: true } } },
  ],
])('arguments are checked where the step carries %s', async (_, carried) => {
  const runner = runnerOf(() => Promise.resolve({ value: 1 }));
  await expect(runner.run(step(carried), first)).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { field: 'args.a', problems: [{ pointer: '/args/a' }] },
  });
});

test('arguments that are checked late get their defaults', async () => {
  const runner = runnerOf(() => Promise.resolve({ value: 1 }));
  const inputSchema = {
    properties: { unit: { type: 'string', default: 'metric' } },
    additionalProperties: true,
  };
  const source = { kind: 'source', source: 'x' } as const;
  expect(await runner.run(step({ inputSchema, implementation: source }), first)).toMatchObject({
    value: { args: { a: 1, unit: 'metric' } },
  });
});

test('the deadline ends a tool that does not listen to its signal', async () => {
  const runner = runnerOf(() => new Promise(() => undefined));
  await expect(runner.run(step({ timeoutMs: 30 }), first)).rejects.toMatchObject({ code: 'TOOL_TIMEOUT' });
});

test('a deadline that has passed runs nothing', async () => {
  const run = jest.fn(() => Promise.resolve({ value: 1 }));
  await expect(runnerOf(run).run(step({ timeoutMs: -1 }), first)).rejects.toMatchObject({
    code: 'TOOL_TIMEOUT',
  });
  expect(run).not.toHaveBeenCalled();
});

test('a cancelled call rejects with the reason of the cancellation, also when it was cancelled before', async () => {
  const reason = new Error('cancelled');
  const runner = runnerOf(() => new Promise(() => undefined));
  const controller = new AbortController();
  const running = runner.run(step(), {
    owner: { tenant: 'default' },
    cancellation: controller.signal,
    attempt: 1,
  });
  controller.abort(reason);
  await expect(running).rejects.toBe(reason);
  await expect(
    runner.run(step(), { owner: { tenant: 'default' }, cancellation: controller.signal, attempt: 1 }),
  ).rejects.toBe(reason);
});

describe('a transient failure', () => {
  const flaky = runnerOf(() => Promise.reject(toolError('away', { retryable: true })));
  const slow = runnerOf(() => Promise.reject(toolError('busy', { retryable: true, retryAfterMs: 60_000 })));

  test('may be retried before the last attempt', async () => {
    await expect(flaky.run(step(), first)).rejects.toMatchObject({ retryable: true });
  });

  test('is final after the last attempt, and tells how many there were', async () => {
    await expect(
      flaky.run(step(), { owner: { tenant: 'default' }, cancellation: never, attempt: 3 }),
    ).rejects.toMatchObject({
      retryable: false,
      message: 'away (after 3 attempts)',
    });
  });

  test('is not final while nothing has begun', async () => {
    const refused = toolError('refused', { retryable: true, neverBegan: true, retryAfterMs: 1 });
    await expect(
      runnerOf(() => Promise.reject(refused)).run(step(), { ...first, attempt: 9 }),
    ).rejects.toMatchObject({ retryable: true });
  });

  test('is final where the next attempt would come after the deadline', async () => {
    await expect(flaky.run(step({ timeoutMs: 200 }), first)).rejects.toMatchObject({ retryable: false });
    await expect(slow.run(step(), first)).rejects.toMatchObject({ retryable: false });
  });

  test('a tool is told when no other attempt will follow', async () => {
    const isLastAttempt = async (attempt: number, timeoutMs = 5_000): Promise<unknown> => {
      const runner = runnerOf(({ lastAttempt }) => Promise.resolve({ value: lastAttempt }));
      return (
        await runner.run(step({ timeoutMs }), { owner: { tenant: 'default' }, cancellation: never, attempt })
      ).value;
    };
    expect(await isLastAttempt(1)).toBe(false);
    expect(await isLastAttempt(3)).toBe(true);
    expect(await isLastAttempt(1, 200)).toBe(true);
  });
});

test('an error that is no error of ours is told without its text', async () => {
  const runner = runnerOf(() => Promise.reject(new Error('secret')));
  await expect(runner.run(step(), first)).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.not.stringContaining('secret'),
  });
});

test('an output of nothing is null, and one over the limit is an error that names the setting', async () => {
  expect(await runnerOf(() => Promise.resolve({ value: undefined })).run(step(), first)).toEqual({
    value: null,
  });
  const exact = runnerOf(() => Promise.resolve({ value: 'é'.repeat(499) }));
  expect((await exact.run(step(), first)).value).toHaveLength(499);
  const over = runnerOf(() => Promise.resolve({ value: 'é'.repeat(500) }));
  await expect(over.run(step(), first)).rejects.toThrow(/1002 bytes.*MAX_RESULT_BYTES/);
});

test('an output has no lone surrogates, whether it comes as a value or as text', async () => {
  const value = { 'a\ud83d': ['\ude00', '😀', '\\ud83d'] };
  const wellFormed = { 'a\ufffd': ['\ufffd', '😀', '\\ud83d'] };
  expect(await runnerOf(() => Promise.resolve({ value })).run(step(), first)).toEqual({ value: wellFormed });
  const json = new TextEncoder().encode(JSON.stringify(value));
  const output = await runnerOf(() => Promise.resolve({ value: undefined, json })).run(step(), first);
  expect(JSON.parse(Buffer.from(output.json!).toString())).toEqual(wellFormed);
});
