import { toolError } from '../../../src/base/errors';
import { createAnswerSchemas } from '../../../src/llm/answer-schemas';
import { schemaChecks } from '../../support/argument-checks';

const { signal } = new AbortController();
const checks = createAnswerSchemas(schemaChecks.of({ tenant: 'ann' }));
const failing = (error: Error) => createAnswerSchemas(() => Promise.reject(error));
const POINT = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };

test('a value that fits has no problem, and in another one every place is named', async () => {
  expect(await checks.findProblem(POINT, { x: 1 }, signal)).toBeUndefined();
  expect(await checks.findProblem(POINT, { x: 'one' }, signal)).toMatch(/^\.?x must be/);
});

test('a schema that cannot be used is at fault', async () => {
  expect(await checks.findFault(POINT)).toBeUndefined();
  expect(await checks.findFault({ type: 'objekt' })).toMatch(/type/);
  expect(await failing(toolError('it takes too long')).findProblem({}, 1, signal)).toBe('it takes too long');
});

test('a thread that ended, an abort and a fault of the service say nothing of the schema', async () => {
  const closing = Object.assign(toolError('closed'), { retryable: true });
  await expect(failing(closing).findFault({})).rejects.toBe(closing);
  const broken = new Error('broken');
  await expect(failing(broken).findFault({})).rejects.toBe(broken);
  const reason = new Error('stopped');
  const aborted = AbortSignal.abort(reason);
  await expect(failing(toolError('gone')).findProblem({}, 1, aborted)).rejects.toBe(reason);
});
