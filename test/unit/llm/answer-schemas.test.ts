import { HoldfastError, toolError } from '../../../src/base/errors';
import { createAnswerSchemas } from '../../../src/llm/answer-schemas';
import type { Sandbox } from '../../../src/sandbox/sandbox';

type Check = Sandbox['findSchemaProblem'];

const { signal } = new AbortController();
const checksOf = (findSchemaProblem: Check) => createAnswerSchemas({ findSchemaProblem }).of('ann');

test('a value that fits has no problem, and another one that which the schema names', async () => {
  const check: Check = (_schema, value) => Promise.resolve(value === 1 ? undefined : 'must be 1');
  expect(await checksOf(check).findProblem({}, 1, signal)).toBeUndefined();
  expect(await checksOf(check).findProblem({}, 2, signal)).toBe('must be 1');
  // What the value of the trial does not fit is no fault of the schema.
  expect(await checksOf(check).findFault({})).toBeUndefined();
});

test.each([
  ['cannot be compiled', toolError('The schema cannot be used: x'), /cannot be used: x/],
  ['takes too long', new HoldfastError('TOOL_TIMEOUT', 'late'), /takes longer than 5000 ms/],
])('a schema that %s is at fault, and fits no value', async (_what, error, expected) => {
  const checks = checksOf(() => Promise.reject(error));
  expect(await checks.findFault({})).toMatch(expected);
  expect(await checks.findProblem({}, 1, signal)).toMatch(expected);
});

test('a thread that ended, an abort and a fault of the service say nothing of the schema', async () => {
  const closing = new HoldfastError('TOOL_EXECUTION_FAILED', 'closed', { retryable: true });
  await expect(checksOf(() => Promise.reject(closing)).findFault({})).rejects.toBe(closing);
  const broken = new Error('broken');
  await expect(checksOf(() => Promise.reject(broken)).findFault({})).rejects.toBe(broken);
  const reason = new Error('stopped');
  const aborted = AbortSignal.abort(reason);
  await expect(checksOf(() => Promise.reject(toolError('gone'))).findProblem({}, 1, aborted)).rejects.toBe(
    reason,
  );
});

test('a tenant has one check at a time, and does not wait for those of another', async () => {
  const ends: (() => void)[] = [];
  const running: unknown[] = [];
  const checks = createAnswerSchemas({
    findSchemaProblem: (_schema, value) =>
      new Promise((resolve) => {
        running.push(value);
        ends.push(() => resolve(undefined));
      }),
  });
  const all = [
    checks.of('ann').findProblem({}, 'a1', signal),
    checks.of('ann').findProblem({}, 'a2', signal),
    checks.of('ben').findProblem({}, 'b1', signal),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  expect(running).toEqual(['a1', 'b1']);
  ends[0]?.();
  await all[0];
  await new Promise((resolve) => setImmediate(resolve));
  expect(running).toEqual(['a1', 'b1', 'a2']);
  for (const end of ends) end();
  await Promise.all(all);
});
