import { RepeatedCalls } from '../../../src/contracts/runs/repeated-calls';
import type { ToolCall } from '../../../src/contracts/runs/tools';

const builtin = (toolName: string, args: object): ToolCall => ({
  toolName,
  args: { ...args },
  implementation: { kind: 'builtin' },
});
const post = (body: object) => builtin('api_call', { url: 'http://shop.test', method: 'post', body });
const get = (url: string) => builtin('api_call', { url });
const both = (call: ToolCall) => [call, call] as const;

test('a call that changes something has its first outcome, whatever the order of its properties', () => {
  const calls = new RepeatedCalls();
  expect(calls.firstOutcome(post({ a: 1, b: 2 }))).toBeUndefined();
  expect(calls.noteResult(both(post({ a: 1, b: 2 })), 'made', 1)).toBe(false);
  expect(calls.firstOutcome(post({ b: 2, a: 1 }))).toEqual({ output: 'made' });
  expect(calls.firstOutcome(post({ a: 1, b: 3 }))).toBeUndefined();
});

test('so has one that a person changed, as it was chosen and as it was approved', () => {
  const calls = new RepeatedCalls();
  calls.noteResult([post({ a: 1 }), post({ a: 2 })], 'made', 1);
  for (const a of [1, 2]) expect(calls.firstOutcome(post({ a }))).toEqual({ output: 'made' });
});

test('one that failed may have had its effect, and a reading one is made again', () => {
  const calls = new RepeatedCalls();
  calls.noteFailure(both(post({})), 'reset');
  calls.noteFailure(both(get('http://shop.test')), 'reset');
  expect(calls.firstOutcome(post({}))).toEqual({ error: 'reset' });
  expect(calls.firstOutcome(get('http://shop.test'))).toBeUndefined();
});

test.each([
  ['a remote tool', { kind: 'mcp', server: 's', tool: 't' }, undefined, true],
  ['a remote tool that only reads', { kind: 'mcp', server: 's', tool: 't' }, { readOnly: true }, false],
  ["a caller's tool", { kind: 'javascript', source: '() => 1' }, undefined, false],
  ["a caller's destructive tool", { kind: 'javascript', source: '() => 1' }, { destructive: true }, true],
])('%s', (_what, implementation, annotations, isOnce) => {
  const call = { toolName: 't', args: {}, implementation, annotations } as unknown as ToolCall;
  const calls = new RepeatedCalls();
  calls.noteResult(both(call), 1, 1);
  expect(calls.firstOutcome(call)).toEqual(isOnce ? { output: 1 } : undefined);
});

test('the third repeat is one too many', () => {
  const calls = new RepeatedCalls();
  expect([calls.noteRepeat(), calls.noteRepeat(), calls.noteRepeat()]).toEqual([false, false, true]);
});

describe('the same reading with the same result is one too many', () => {
  const a = get('http://a.test');
  const b = get('http://b.test');
  const run = (...readings: readonly (readonly [ToolCall, unknown, number])[]) => {
    const calls = new RepeatedCalls();
    return readings.map(([call, output, plan]) => calls.noteResult(both(call), output, plan));
  };

  test.each([
    [
      'the third time in a row',
      [
        [a, { x: 1 }, 1],
        [a, { x: 1 }, 2],
        [a, { x: 1 }, 3],
      ],
      true,
    ],
    [
      'not within one plan',
      [
        [a, 1, 1],
        [a, 1, 1],
        [a, 1, 1],
      ],
      false,
    ],
    [
      'not with another result',
      [
        [a, 1, 1],
        [a, 1, 2],
        [a, 2, 3],
      ],
      false,
    ],
    [
      'not with another call between',
      [
        [a, 1, 1],
        [a, 1, 2],
        [b, 1, 3],
        [a, 1, 4],
      ],
      false,
    ],
  ] as const)('%s', (_when, readings, isStuck) => {
    expect(run(...readings).at(-1)).toBe(isStuck);
  });
});
