import { isErrorCode } from '../../../src/base/error-codes';
import { HoldfastError, isHoldfastError } from '../../../src/base/errors';

test('errors are told by brand and code, not by class', () => {
  const error = new HoldfastError('VALIDATION', 'no');
  expect(isHoldfastError(error)).toBe(true);
  expect(isHoldfastError(new Error('no'))).toBe(false);
  expect(isErrorCode('TOOL_TIMEOUT')).toBe(true);
  expect(isErrorCode('toString')).toBe(false);
});
