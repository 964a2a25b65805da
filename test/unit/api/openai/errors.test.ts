import { ERROR_TABLE } from '../../../../api/http/error-table';
import { namingParams, toOpenAiError, unsupported } from '../../../../api/openai/errors';
import type { ErrorCode } from '../../../../src/base/error-codes';
import { HoldfastError, validationError } from '../../../../src/base/errors';

const bodyOf = (code: ErrorCode, details?: Record<string, unknown>) =>
  toOpenAiError(new HoldfastError(code, 'why', details && { details }), ERROR_TABLE[code].status).error;

test.each<[ErrorCode, string, string]>([
  ['UNAUTHENTICATED', 'authentication_error', 'invalid_api_key'],
  ['ACCESS_DENIED', 'permission_error', 'ACCESS_DENIED'],
  ['PATH_NOT_FOUND', 'invalid_request_error', 'PATH_NOT_FOUND'],
  ['BODY_TOO_LARGE', 'invalid_request_error', 'BODY_TOO_LARGE'],
  ['SESSION_BUSY', 'rate_limit_error', 'rate_limit_exceeded'],
  ['ENGINE_UNAVAILABLE', 'server_error', 'ENGINE_UNAVAILABLE'],
])('%s has the type %s and the code %s', (code, type, named) => {
  expect(bodyOf(code)).toEqual({ message: 'why', type, param: null, code: named });
});

test('the text of an unexpected error is not shown', () => {
  expect(bodyOf('INTERNAL')).toMatchObject({ message: 'An unexpected error occurred', type: 'server_error' });
});

test('an invalid field is named as the protocol names it', async () => {
  const thrown = async (field: string): Promise<unknown> =>
    namingParams({ 'options.maxTokens': 'max_tokens', query: 'messages' }, () => {
      throw validationError(field, `${field} must be smaller`);
    }).catch((error: unknown) => (error as HoldfastError).details);
  expect(await thrown('options.maxTokens')).toMatchObject({
    field: 'max_tokens',
    message: 'max_tokens must be smaller',
  });
  expect(await thrown('query[0].text')).toMatchObject({ field: 'messages' });
  expect(await thrown('queryable')).toMatchObject({ field: 'queryable' });
  expect(toOpenAiError(unsupported('tools', 'why'), 400).error).toMatchObject({
    param: 'tools',
    code: 'unsupported',
  });
});
