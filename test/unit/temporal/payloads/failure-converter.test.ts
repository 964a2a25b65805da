import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import { HoldfastError } from '../../../../src/base/errors';
import { toApplicationFailure } from '../../../../temporal/failures';
import { failureConverter } from '../../../../temporal/payloads/failure-converter';

const convert = (error: unknown) => failureConverter.errorToFailure(error, defaultPayloadConverter);

test('the texts of an error and of its causes are well-formed', () => {
  const cause = new Error('cut \ud83d', { cause: 'an end \udc00' });
  const failure = convert(
    ApplicationFailure.create({ type: 'T\ud800', message: 'half \ud800 a pair', cause }),
  );
  const [first, second] = [failure.cause, failure.cause?.cause];
  expect([failure.message, failure.applicationFailureInfo?.type, first?.message]).toEqual([
    'half \ufffd a pair',
    'T\ufffd',
    'cut \ufffd',
  ]);
  expect(second?.message).toMatch(/^an end \ufffd /);
  expect(first?.stackTrace).toContain('cut \ufffd');
  expect(`${failure.stackTrace}${first?.stackTrace}`).not.toMatch(/\p{Surrogate}/u);
});

test('other texts, the code and the details stay as they are', () => {
  const error = ApplicationFailure.create({
    type: 'VALIDATION',
    message: 'whole 😀',
    details: [{ a: '\ud800' }],
  });
  const back = failureConverter.failureToError(convert(error), defaultPayloadConverter);
  expect(back).toMatchObject({ type: 'VALIDATION', message: 'whole 😀', details: [{ a: '\ud800' }] });
});

test.each([
  [2_000, 2],
  [Infinity, 86_400],
  [1e30, 86_400],
  [undefined, undefined],
])('a wait of %d ms that a server asks for can be written', (retryAfterMs, seconds) => {
  const error = new HoldfastError('MODEL_UNAVAILABLE', 'busy', { retryable: true, retryAfterMs });
  const { nextRetryDelay } = convert(toApplicationFailure(error)).applicationFailureInfo ?? {};
  expect(nextRetryDelay?.seconds?.toNumber()).toBe(seconds);
});
