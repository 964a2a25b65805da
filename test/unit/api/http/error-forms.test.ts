import { failure } from '../../../../api/http/envelope';
import { ERROR_TABLE, errorFormOf, titleOf } from '../../../../api/http/error-table';
import { ERROR_CODES } from '../../../../src/base/error-codes';
import { HoldfastError, validationError } from '../../../../src/base/errors';

test('every code has a row, and unexpected ones show no internals', () => {
  for (const code of ERROR_CODES) expect(ERROR_TABLE[code].status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(failure(new HoldfastError('INTERNAL', 'secret path /x'), 'tool'))).not.toContain(
    'secret',
  );
  expect(JSON.stringify(failure(new HoldfastError('INTERNAL', 'secret path /x'), 'memory'))).not.toContain(
    'secret',
  );
});

test('the two forms of an error, with fields that mean the same in both', () => {
  const error = validationError('userId', 'is required');
  const details = { field: 'userId', message: 'is required' };
  const same = { details, code: 'VALIDATION', title: 'Validation error', detail: 'is required' };
  expect(failure(error, 'tool')).toEqual({
    success: false,
    message: 'Validation error',
    error: 'Invalid input data',
    ...same,
  });
  expect(failure(error, 'memory')).toEqual({
    success: false,
    message: 'is required',
    error: 'Validation error',
    ...same,
  });
});

test('the title of a code is the same in an area that has another short title for it', () => {
  const error = new HoldfastError('STORE_UNAVAILABLE', 'gone');
  expect(failure(error, 'memory', 'Memory service error')).toMatchObject({
    error: 'Memory service error',
    title: 'Service unavailable',
  });
});

test.each([
  ['/api/tools/execute', 'tool'],
  ['/api/workflow/execute', 'tool'],
  ['/api/health', 'tool'],
  ['/api/agent/execute', 'memory'],
  ['/api/memory', 'memory'],
  ['/api/memory-chat/chat', 'memory'],
  ['/api/memoryx', 'tool'],
])('%s answers errors in the %s form', (path, form) => {
  expect(errorFormOf(path)).toBe(form);
});

test.each([
  ['/api/memory/search', 'STORE_UNAVAILABLE', 'Service unavailable'],
  ['/api/memory-chat/search', 'STORE_UNAVAILABLE', 'Memory service error'],
  ['/api/memory-chat/search', 'EMBEDDER_UNAVAILABLE', 'Memory service error'],
  ['/api/memory-chat/search', 'ENGINE_UNAVAILABLE', 'Service unavailable'],
  ['/api/memory-chat/search', 'VALIDATION', 'Validation error'],
] as const)('%s: %s is a "%s"', (path, code, title) => {
  expect(titleOf(code, path)).toBe(title);
});
