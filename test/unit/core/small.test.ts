import { failure } from '../../../api/http/envelope';
import { ERROR_TABLE, errorFormOf, titleOf } from '../../../api/http/error-table';
import { fitDetail, shorten } from '../../../src/contracts/json';
import { ERROR_CODES, isErrorCode } from '../../../src/base/error-codes';
import { redact } from '../../../src/contracts/redact';
import { HoldfastError, isHoldfastError, validationError } from '../../../src/base/errors';
import { isInlineCall } from '../../../workflows/steps/inline-calls';

test('redact hides by name, at any depth, and changes nothing else', () => {
  expect(
    redact({
      url: 'u',
      headers: { Authorization: 'x', Cookie: 'y', accept: 'z' },
      list: [{ api_key: 1 }],
      token: 't',
    }),
  ).toEqual({
    url: 'u',
    headers: { Authorization: '[hidden]', Cookie: '[hidden]', accept: 'z' },
    list: [{ api_key: '[hidden]' }],
    token: '[hidden]',
  });
});

test('redact takes queries and passwords out of addresses', () => {
  expect(redact({ url: 'https://a.b/c?api_key=1#x', text: 'see http://u:p@h/ and http://h/p' })).toEqual({
    url: 'https://a.b/c',
    text: 'see http://h/ and http://h/p',
  });
});

test('shorten and fitDetail keep what is short', () => {
  expect(shorten('abc', 3)).toBe('abc');
  expect(shorten('abcd', 3)).toBe('ab…');
  expect(shorten('a😀😀', 3)).toBe('a…');
  expect(fitDetail({ a: 1 })).toEqual({ a: 1 });
  expect(fitDetail('x'.repeat(20_000))).toMatch(/left out: 20002 characters/);
});

test('errors are told by brand and code, not by class', () => {
  const error = new HoldfastError('VALIDATION', 'no');
  expect(isHoldfastError(error)).toBe(true);
  expect(isHoldfastError(new Error('no'))).toBe(false);
  expect(isErrorCode('TOOL_TIMEOUT')).toBe(true);
  expect(isErrorCode('toString')).toBe(false);
});

test('every code has a row, and unexpected ones show no internals', () => {
  for (const code of ERROR_CODES) expect(ERROR_TABLE[code].status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(failure(new HoldfastError('INTERNAL', 'secret path /x'), 'tool'))).not.toContain(
    'secret',
  );
  expect(JSON.stringify(failure(new HoldfastError('INTERNAL', 'secret path /x'), 'memory'))).not.toContain(
    'secret',
  );
});

test('the two forms of an error', () => {
  const error = validationError('userId', 'is required');
  const details = { field: 'userId', message: 'is required' };
  expect(failure(error, 'tool')).toEqual({
    success: false,
    message: 'Validation error',
    error: 'Invalid input data',
    details,
  });
  expect(failure(error, 'memory')).toEqual({
    success: false,
    message: 'is required',
    error: 'Validation error',
    details,
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

describe('isLightCall', () => {
  const builtin = { kind: 'builtin' } as const;
  test.each([
    ['calculator', {}, true],
    ['json_reader', { jsonString: '{}', path: '$.a' }, true],
    ['json_reader', { jsonString: `"${'x'.repeat(20_000)}"`, path: '$.a' }, false],
    ['json_reader', { jsonString: '{}', path: '$[?match(@.a, "x")]' }, false],
    ['json_reader', { jsonString: '{}', path: '$..a' }, false],
    ['api_call', { url: 'http://a' }, false],
    ['file_read', { path: 'a' }, false],
  ])('%s %j: %s', (toolName, args, light) => {
    expect(isInlineCall({ toolName, args, implementation: builtin })).toBe(light);
  });

  test('never for registered code, whatever its name', () => {
    expect(
      isInlineCall({ toolName: 'calculator', args: {}, implementation: { kind: 'source', source: '1' } }),
    ).toBe(false);
  });
});
