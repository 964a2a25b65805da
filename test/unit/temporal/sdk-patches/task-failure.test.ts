import { coresdk } from '@temporalio/proto';
import { readTaskFailure } from '../../../../temporal/sdk-patches/noted-worker';

const { CACHE_FULL, NONDETERMINISM, LANG_FAIL } = coresdk.workflow_activation.RemoveFromCache.EvictionReason;

/** The text that the SDK's core makes of a failure whose stack trace has these lines. */
const failure = (message: string, ...trace: string[]): string =>
  `Workflow activation completion failed: Failure { failure: Some(Failure { message: "${message}", source: "", ` +
  `stack_trace: "${trace.join('\\n')}", encoded_attributes: None, failure_info: None }) }`;

const inBundle = (error: string): string[] => [
  '/dist/workflow-bundle.js:78',
  '    throw e;',
  '    ^',
  '',
  error,
  '    at x (/dist/workflows/x.js:1:2)',
];

test.each([
  [NONDETERMINISM, failure('[TMPRL1100] an \\"error\\"'), '[TMPRL1100] an \\"error\\"'],
  [NONDETERMINISM, 'a text of another form', 'a text of another form'],
  [LANG_FAIL, failure('no such function', ...inBundle('TypeError: no such function')), 'no such function'],
  [LANG_FAIL, failure('x is not defined', ...inBundle('ReferenceError: x')), 'x is not defined'],
])('an eviction that the same code repeats has its reason (%i, %s)', (reason, message, expected) => {
  expect(readTaskFailure({ reason, message })).toBe(expected);
});

test.each([
  ['a store that is away', LANG_FAIL, failure('A stored value is not there', 'HoldfastError: A')],
  ['an error outside of workflow code', LANG_FAIL, failure('fetch failed', '', 'TypeError: fetch failed')],
  ['another error of workflow code', LANG_FAIL, failure('x', ...inBundle('Error: x'))],
  ['a full cache', CACHE_FULL, failure('x', ...inBundle('TypeError: x'))],
  ['no message', LANG_FAIL, undefined],
])('another eviction is no failure that the same code repeats: %s', (_, reason, message) => {
  expect(readTaskFailure({ reason, ...(message === undefined ? {} : { message }) })).toBeUndefined();
});

test('a long reason is cut', () => {
  expect(readTaskFailure({ reason: NONDETERMINISM, message: 'x'.repeat(10_000) })).toHaveLength(500);
  const long = failure('x'.repeat(1_000_000), ...inBundle('TypeError: x'));
  expect(readTaskFailure({ reason: LANG_FAIL, message: long })).toBe('x'.repeat(500));
});
