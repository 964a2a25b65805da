import fc from 'fast-check';
import type { ToolStep } from '../../../src/contracts/runs/tools';
import { idempotencyKeyOf } from '../../../src/tools/runner';

const step = (more: Partial<ToolStep> = {}): ToolStep => ({
  toolName: 'api_call',
  args: { url: 'http://peer/', method: 'POST', body: 1 },
  implementation: { kind: 'builtin' },
  step: 'each[3]',
  deadline: 0,
  limits: { timeoutMs: 1, source: 'TOOL_TIMEOUT_MS', maxAttempts: 3 },
  ...more,
});

test('the key is a UUID, and the same at each attempt', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer(), (workflowId, name, deadline) => {
      const key = idempotencyKeyOf(workflowId, step({ step: name }));
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(idempotencyKeyOf(workflowId, step({ step: name, deadline }))).toBe(key);
    }),
  );
});

test('it differs by run, step, item, tool and target, and not by the body', () => {
  const args = { url: 'http://peer/', method: 'POST' };
  const keys = [
    idempotencyKeyOf('run', step()),
    idempotencyKeyOf('run/2', step()),
    idempotencyKeyOf('run', step({ step: 'each[4]' })),
    idempotencyKeyOf('run', step({ step: 'each' })),
    idempotencyKeyOf('run', step({ toolName: 'shop.buy' })),
    idempotencyKeyOf('run', step({ args: { ...args, url: 'http://peer/other' } })),
    idempotencyKeyOf('run', step({ args: { ...args, method: 'PUT' } })),
    idempotencyKeyOf('run', step({ args: { ...args, params: { a: 1 } } })),
    idempotencyKeyOf('run', step({ args: { ...args, params: { a: 2 } } })),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(idempotencyKeyOf('run', step({ args: { ...args, body: 2 } }))).toBe(keys[0]);
});
