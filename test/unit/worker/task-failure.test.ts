import { readTaskFailure } from '../../../worker/task-notes/task-failure';

const NONDETERMINISM = 3;
const LANG_FAIL = 4;
const CACHE_FULL = 1;

/** The text that the SDK's core makes of a failure. */
const failure = (message: string, type: string): string =>
  `Workflow activation completion failed: Failure { failure: Some(Failure { message: "${message}", source: "", ` +
  `failure_info: Some(ApplicationFailureInfo(ApplicationFailureInfo { r#type: "${type}", non_retryable: false })) }) }`;

test.each([
  [
    NONDETERMINISM,
    failure('[TMPRL1100] Nondeterminism \\"error\\"', ''),
    '[TMPRL1100] Nondeterminism \\"error\\"',
  ],
  [NONDETERMINISM, 'a text of another form', 'a text of another form'],
  [LANG_FAIL, failure('no such function is exported', 'TypeError'), 'no such function is exported'],
  [LANG_FAIL, failure('x is not defined', 'ReferenceError'), 'x is not defined'],
])('an eviction that the same code repeats has its reason (%i, %s)', (reason, message, expected) => {
  expect(readTaskFailure({ reason, message })).toBe(expected);
});

test.each([
  ['a store that is away', LANG_FAIL, failure('A stored value is not there', 'STORE_UNAVAILABLE')],
  ['a full cache', CACHE_FULL, failure('x', 'TypeError')],
  ['no message', LANG_FAIL, undefined],
])('another eviction is no failure that the same code repeats: %s', (_, reason, message) => {
  expect(readTaskFailure({ reason, ...(message === undefined ? {} : { message }) })).toBeUndefined();
});

test('a long reason is cut', () => {
  expect(readTaskFailure({ reason: NONDETERMINISM, message: 'x'.repeat(10_000) })).toHaveLength(500);
});
