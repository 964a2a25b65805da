import { z } from 'zod';
import { expectAlive, failureOf, OWNER, PATIENT, useSandbox } from '../sandbox/support';
import { readEntries } from './read-data';

const expectation = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('result'),
    value: z.unknown(),
    /** The number of console lines. Default 0. */
    logLines: z.number().optional(),
  }),
  z.strictObject({
    outcome: z.literal('error'),
    /** A source with `TOOL_TIMEOUT` never ends, so it runs with a short limit. */
    code: z.enum(['TOOL_EXECUTION_FAILED', 'TOOL_TIMEOUT']),
    /** The whole message. */
    message: z.string().optional(),
    /** A part of the message. */
    says: z.string().optional(),
  }),
  z.strictObject({
    /** Both a check and a run refuse the source. */
    outcome: z.literal('unparsable'),
    /** A part of the message. */
    says: z.string().optional(),
  }),
]);
/** The whole source, or its lines. A line may be a text that is repeated. */
const source = z.union([
  z.string(),
  z.array(z.union([z.string(), z.strictObject({ text: z.string(), times: z.int() })])),
]);
const call = z.strictObject({ source, expect: expectation });
const entry = call.extend({
  name: z.string(),
  threat: z.enum(['host', 'exhaustion', 'leak', 'result', 'parser']),
  /** Earlier calls on the same thread. */
  before: z.array(call).optional(),
});

const ENTRIES = readEntries('sandbox-sources.json', entry);
const SHORT = { owner: OWNER, timeoutMs: 60 };
const MAX_MESSAGE_LENGTH = 2_100;
const LOG_LINES = 100;
const LOG_LINE_LENGTH = 1_000;

/** One thread runs all entries, so that each of them could find what the entries before it left. */
const sandbox = useSandbox({
  memoryBytes: 16 * 1024 * 1024,
  logLines: LOG_LINES,
  logLineLength: LOG_LINE_LENGTH,
});
const ownKeys = Reflect.ownKeys(Object.prototype);

function textOf(lines: z.infer<typeof source>): string {
  if (typeof lines === 'string') return lines;
  return lines.map((line) => (typeof line === 'string' ? line : line.text.repeat(line.times))).join('\n');
}

function expectBounded(logs: readonly string[]): void {
  expect(logs.length).toBeLessThanOrEqual(LOG_LINES + 1);
  for (const line of logs) expect(line.length).toBeLessThanOrEqual(LOG_LINE_LENGTH + 1);
}

async function expectOutcome({ source: lines, expect: expected }: z.infer<typeof call>): Promise<void> {
  const text = textOf(lines);
  const args = { a: 20 };
  if (expected.outcome === 'result') {
    const { value, logs } = await sandbox.run(text, args, PATIENT);
    // As text, because keys such as __proto__ are compared by other assertions as something else than data.
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected.value));
    expect(logs).toHaveLength(expected.logLines ?? 0);
    expectBounded(logs);
    return;
  }
  if (expected.outcome === 'unparsable') {
    const { says = '' } = expected;
    const problem = await sandbox.check(text, OWNER);
    expect(problem).toMatchObject({ message: expect.stringContaining(says) });
    expect(problem!.line).toBeGreaterThan(0);
    expect(problem!.line).toBeLessThanOrEqual(text.split('\n').length);
    expect(problem!.column).toBeGreaterThan(0);
    const { code, message } = await failureOf(sandbox.run(text, args, PATIENT));
    expect([code, message]).toEqual([
      'TOOL_EXECUTION_FAILED',
      expect.stringMatching(/^The code does not parse: /),
    ]);
    return;
  }
  const isEndless = expected.code === 'TOOL_TIMEOUT';
  const error = await failureOf(sandbox.run(text, args, isEndless ? SHORT : PATIENT));
  expect(error).toMatchObject({ code: expected.code, retryable: false });
  expect(error.message.length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  if (isEndless) expect(error.message).toBe(`The tool did not finish within ${SHORT.timeoutMs} ms`);
  if (expected.message !== undefined) expect(error.message).toBe(expected.message);
  if (expected.says !== undefined) expect(error.message).toContain(expected.says);
  expectBounded(error.details?.logs ?? []);
}

test('there are at least 60 sources, and each has a name of its own', () => {
  expect(ENTRIES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ENTRIES.map(({ threat, name }) => `${threat}: ${name}`)).size).toBe(ENTRIES.length);
});

describe('hostile sources', () => {
  beforeAll(() => expectAlive(sandbox));
  afterEach(async () => {
    await expectAlive(sandbox);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(ownKeys);
  });

  test.each(ENTRIES)('$threat: $name', async ({ before = [], ...last }) => {
    for (const earlier of before) await expectOutcome(earlier);
    await expectOutcome(last);
  });
});
