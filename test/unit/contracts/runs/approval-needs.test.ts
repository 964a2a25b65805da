import { isChanging, needsApproval } from '../../../../src/contracts/runs/approval-needs';
import type { ToolCall } from '../../../../src/contracts/runs/tools';

const BUILTIN = { kind: 'builtin' } as const;
const SANDBOXED = { kind: 'source', source: '() => 1' } as const;
const call = (toolName: string, more: Partial<ToolCall> = {}): ToolCall => ({
  toolName,
  args: {},
  implementation: BUILTIN,
  ...more,
});

test.each<[string, ToolCall, boolean]>([
  ['a request that only reads', call('api_call', { args: { method: 'get' } }), false],
  ['a request without a method', call('api_call'), false],
  ['a request with another method', call('api_call', { args: { method: 'DELETE' } }), true],
  ['a method that is not known yet', call('api_call', { args: { method: '{{a.result}}' } }), true],
  ['a method that is no text', call('api_call', { args: { method: 7 } }), true],
  ['another built-in tool', call('calculator'), false],
  ['a sandboxed tool', call('mine', { implementation: SANDBOXED }), false],
  [
    'a sandboxed tool that says so',
    call('mine', { implementation: SANDBOXED, annotations: { destructive: true } }),
    true,
  ],
  ['a tool that took the name of a built-in one', call('api_call', { implementation: SANDBOXED }), false],
])('changes something: %s', (_, made, changes) => {
  expect(isChanging(made)).toBe(changes);
  expect(needsApproval(made, { tools: 'changing' })).toBe(changes);
});

test('a call waits by the name of its tool, by the rule for all, or because its tool was registered so', () => {
  expect(needsApproval(call('a'), { tools: ['a'] })).toBe(true);
  expect(needsApproval(call('a'), { tools: ['b'] })).toBe(false);
  expect(needsApproval(call('a'), { tools: 'all' })).toBe(true);
  expect(needsApproval(call('a', { requiresApproval: true }), { tools: [] })).toBe(true);
});
