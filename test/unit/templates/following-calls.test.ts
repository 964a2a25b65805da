import type { ToolCall } from '../../../src/contracts/runs/tools';
import {
  type FollowingCall,
  FollowingCallResolver,
  type FollowingCalls,
  MAX_FOLLOWING_LENGTH,
  takeFollowing,
} from '../../../src/templates/following-calls';

const call = (toolName: string, args: ToolCall['args'] = {}): ToolCall => ({
  toolName,
  args,
  implementation: { kind: 'builtin' },
});
const named = (...calls: ToolCall[]): FollowingCall[] =>
  calls.map((one, index) => ({ call: one, step: String(index + 2) }));
const reader = (jsonString: unknown, path = '$.a'): ToolCall => call('json_reader', { jsonString, path });

describe('takeFollowing', () => {
  const taken = (...calls: ToolCall[]): number => takeFollowing(named(...calls))?.calls.length ?? 0;

  test.each<[string, number, ToolCall[]]>([
    ['nothing of nothing', 0, []],
    ['inline calls', 2, [call('calculator'), reader('{{previous_result}}')]],
    ['those before a call with an effect', 1, [call('calculator'), call('api_call'), call('calculator')]],
    ['none behind a call with an effect', 0, [call('api_call'), call('calculator')]],
    ['none with an expensive path', 0, [reader('{}', '$..a')]],
    ['as many as are short enough', 1, [reader('x'.repeat(5_000)), reader('x'.repeat(5_000))]],
    ['none that is long', 0, [reader('x'.repeat(MAX_FOLLOWING_LENGTH))]],
    ['a limited number', 15, Array.from({ length: 49 }, () => call('calculator'))],
  ])('takes %s', (_what, count, calls) => expect(taken(...calls)).toBe(count));
});

describe('FollowingCallResolver in a sequence', () => {
  function resolveAfter(output: unknown, next: ToolCall): unknown {
    const resolver = new FollowingCallResolver({ calls: [] });
    resolver.note('1', output);
    const resolved = resolver.resolve({ call: next, step: '2' });
    return typeof resolved === 'object' ? resolved.args : resolved;
  }

  test.each<[string, unknown, unknown, unknown]>([
    ['the output with its type', 3, '{{previous_result}}', 3],
    ['a part of it', { b: [4] }, '{{previous_result.b[0]}}', 4],
    ['a bare output by the name in the response', 3, '{{previous_result.result}}', 3],
    ['the output as JSON has it', Infinity, '{{previous_result}}', null],
    ['other braces as they are', 3, '{{other}}', '{{other}}'],
  ])('inserts %s', (_what, output, written, resolved) =>
    expect(resolveAfter(output, call('calculator', { a: written }))).toEqual({ a: resolved }),
  );

  test('text that looks like a template is not resolved again', () => {
    const output = { text: '{{previous_result.secret}}', secret: 1 };
    const resolved = resolveAfter(output, call('calculator', { a: '{{previous_result.text}}' }));
    expect(resolved).toEqual({ a: '{{previous_result.secret}}' });
  });

  test.each<[string, unknown, ToolCall]>([
    ['whose reference is missing', 3, call('calculator', { a: '{{previous_result.none}}' })],
    [
      'whose arguments became long',
      'x'.repeat(5_000),
      call('calculator', {
        a: '{{previous_result}}{{previous_result}}{{previous_result}}{{previous_result}}',
      }),
    ],
    ['whose document became long', 'x'.repeat(20_000), reader('{{previous_result}}')],
    ['whose path became expensive', '$..a', reader('{}', '{{previous_result}}')],
  ])('leaves a call %s to the workflow', (_what, output, next) =>
    expect(resolveAfter(output, next)).toBeUndefined(),
  );

  test('lets no call follow once the results are long', () => {
    const resolver = new FollowingCallResolver({ calls: [] });
    expect(resolver.note('1', 'x'.repeat(MAX_FOLLOWING_LENGTH - 10))).toBe(true);
    expect(resolver.note('2', 'x'.repeat(10))).toBe(false);
  });
});

describe('FollowingCallResolver in a custom workflow', () => {
  const done = { status: 'completed', result: { n: 5 }, executionTime: 1 } as const;
  const following: FollowingCalls = { calls: [], values: { inputs: { x: 7 }, outcomes: { done } } };
  function resolver(): FollowingCallResolver {
    const created = new FollowingCallResolver(following);
    created.note('first', 3);
    return created;
  }
  const sum = (a: unknown, b: unknown): ToolCall => call('calculator', { a, b });

  test('inserts inputs, steps that ended before, and those that ran here', () => {
    const steps = resolver();
    expect(steps.resolve({ call: sum('{{input.x}}', '{{done.result.n}}'), step: 'second' })).toMatchObject({
      args: { a: 7, b: 5 },
    });
    steps.note('second', 12);
    const third = { call: sum('{{first.result}}', '{{previous_result}}'), step: 'third' };
    expect(steps.resolve(third)).toMatchObject({ args: { a: 3, b: 12 } });
  });

  test('skips a step whose condition is false, which counts as the step before', () => {
    const steps = resolver();
    const skipped = { call: sum(1, 2), step: 'second', when: '{{first.result}} > 3' };
    expect(steps.resolve(skipped)).toBe('skipped');
    const when = '{{second.status}} == "skipped" && {{previous_result}} == null';
    expect(steps.resolve({ call: sum(1, '{{previous_result}}'), step: 'third', when })).toMatchObject({
      args: { a: 1, b: null },
    });
  });

  test.each([
    ['cannot be compared', '{{first.result}} < "a"'],
    ['is much work', `${'{{input.long}} contains "y" || '.repeat(80)}true`],
  ])('leaves a step whose condition %s to the workflow', (_what, when) => {
    const values = { inputs: { long: 'x'.repeat(8_000) }, outcomes: {} };
    const steps = new FollowingCallResolver({ calls: [], values });
    steps.note('first', 3);
    expect(steps.resolve({ call: sum(1, 2), step: 'second', when })).toBeUndefined();
  });
});
