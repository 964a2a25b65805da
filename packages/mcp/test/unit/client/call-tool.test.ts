import { HoldfastError } from '../../../../../src/base/errors';
import type { StoredTool } from '../../../../../src/contracts/http/tools';
import { createRemoteTools } from '../../../client/call-tool';
import type { Connect } from '../../../client/connect';
import type { SchemaOutcome } from '../../../../../src/sandbox/sandbox';
import { createSchemaChecks } from '../../../../../src/sandbox/schema-checks';
import type { ToolContext } from '../../../../../src/tools/tool';
import { NOW } from '../../../../../test/unit/tools/registry-fixtures';

const implementation = { kind: 'mcp', server: 'shop', tool: 'find', digest: 'd' } as const;
const TOOL: StoredTool = {
  name: 'shop.find',
  description: '',
  implementation,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  registeredAt: new Date(NOW).toISOString(),
};
const context = {
  owner: { tenant: 'default' },
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  attempt: 1,
  lastAttempt: false,
};

const TEA = { type: 'text', text: 'tea' };

let calls: unknown[];
let answer: object;
/** What a check finds; an error if it fails. One for each check. */
let checks: (string | undefined | Error)[];
beforeEach(() => {
  [calls, checks, failure] = [[], [], undefined];
  answer = { content: [], structuredContent: { items: [] } };
});

let failure: Error | undefined;
const connect: Connect = async () =>
  ({
    client: {
      callTool: (params: unknown) =>
        failure === undefined ? Promise.resolve((calls.push(params), answer)) : Promise.reject(failure),
    },
    close: () => Promise.resolve(),
  }) as never;

function call(tool: Partial<StoredTool> = {}, more: Partial<ToolContext> = {}) {
  const checkBySchema = async (): Promise<SchemaOutcome> => {
    const found = checks.shift();
    if (found instanceof Error) throw found;
    return { problems: found === undefined ? [] : [{ pointer: '', message: found }] };
  };
  const access = {
    url: 'https://shop.example',
    headers: {},
    owner: { tenant: 'default' },
    allowPrivate: false,
  };
  const tools = createRemoteTools({
    servers: { access: () => Promise.resolve(access) },
    registry: { get: () => Promise.resolve({ ...TOOL, ...tool }) },
    connect,
    check: createSchemaChecks({ checkBySchema }).of({ tenant: 'default' }),
  });
  return tools.call(
    { toolName: 'shop.find', args: { query: 'tea' }, implementation },
    { ...context, ...more },
  );
}

const lostThread = (): Error =>
  new HoldfastError('TOOL_EXECUTION_FAILED', 'the thread ended', { retryable: true });
const tooSlow = (): Error => new HoldfastError('TOOL_TIMEOUT', 'too slow');

test('gives the structured content of a result that its schema accepts', async () => {
  expect(await call()).toEqual({ value: { items: [] } });
  expect(calls).toEqual([{ name: 'find', arguments: { query: 'tea' } }]);
});

test.each([
  ['are refused', () => 'data/query must be number', { code: 'VALIDATION' }],
  ['could not be checked in time', tooSlow, { code: 'TOOL_EXECUTION_FAILED', retryable: false }],
  ['lost their thread', lostThread, { code: 'TOOL_EXECUTION_FAILED', retryable: true }],
])('makes no call whose arguments %s', async (_, found, error) => {
  checks = [found()];
  await expect(call()).rejects.toMatchObject(error);
  expect(calls).toEqual([]);
});

test('gives a result that is not as the tool declares it, marked, because the call was made', async () => {
  checks = [undefined, 'must be a string'];
  expect(await call()).toEqual({
    value: {
      items: [],
      _problem: 'the structured content is not as the tool declares it: result must be a string',
    },
  });
  answer = { content: [TEA] };
  expect(await call()).toEqual({
    value: {
      _problem: 'the tool declares structured content, and its answer has none',
      _content: [TEA],
    },
  });
  expect(await call({ outputSchema: undefined })).toEqual({ value: 'tea' });
  expect(calls).toHaveLength(3);
});

test('gives what comes beside structured content, unless it says the same', async () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const items = { items: [] };
  answer = { content: [{ type: 'text', text: '{\n  "items": []\n}' }], structuredContent: items };
  expect(await call()).toEqual({ value: items });
  answer = { content: [TEA, image], structuredContent: items };
  expect(await call()).toEqual({ value: { items: [], _content: [TEA, image] } });
  answer = { content: [TEA], structuredContent: [1] };
  expect(await call()).toEqual({ value: { structuredContent: [1], _content: [TEA] } });
  const taken = { _content: 'of the tool' };
  answer = { content: [TEA], structuredContent: taken };
  expect(await call()).toEqual({ value: { structuredContent: taken, _content: [TEA] } });
  const long = 'x'.repeat(1_048_576);
  answer = { content: [{ type: 'text', text: long }], structuredContent: items };
  expect(await call()).toEqual({
    value: { items: [], _problem: 'content of 1048603 characters beside it was left out' },
  });
});

test('repeats a call for the check of its result only where the tool is read-only', async () => {
  checks = [undefined, lostThread()];
  const value = { items: [], _problem: expect.stringMatching(/could not be checked: the thread ended$/) };
  expect(await call()).toEqual({ value });
  const readOnly = { annotations: { readOnly: true } };
  checks = [undefined, lostThread()];
  await expect(call(readOnly)).rejects.toMatchObject({ retryable: true });
  checks = [undefined, lostThread()];
  expect(await call(readOnly, { lastAttempt: true })).toEqual({ value });
});

test('says that a result could not be checked in time', async () => {
  checks = [undefined, tooSlow()];
  const _problem =
    'the structured content could not be checked: A check by the schema of the server "shop" took longer than 5000 ms';
  expect(await call()).toEqual({ value: { items: [], _problem } });
});

test('fails with the words of the tool, whatever schema it declares', async () => {
  answer = { content: [{ type: 'text', text: 'out of stock' }], isError: true };
  await expect(call()).rejects.toThrow('out of stock');
});

test('is marked as sent before it is made, and not made where an earlier attempt was', async () => {
  const marks: unknown[] = [];
  const set = (isSent: boolean): void => void marks.push([isSent, calls.length]);
  await call({}, { sent: { earlier: false, set } });
  expect(marks).toEqual([[true, 0]]);
  const again = { attempt: 2, sent: { earlier: true, set } };
  await expect(call({}, again)).rejects.toMatchObject({
    message: expect.stringContaining('not sent again, as it may have had its effect'),
    retryable: false,
  });
  expect(calls).toHaveLength(1);
  await call({ annotations: { readOnly: true } }, again);
  expect(calls).toHaveLength(2);
});

test('is not marked as sent any more where it did not reach the server', async () => {
  const marks: boolean[] = [];
  failure = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
  await expect(
    call({}, { sent: { earlier: false, set: (isSent) => void marks.push(isSent) } }),
  ).rejects.toMatchObject({ retryable: true });
  expect(marks).toEqual([true, false]);
});

test('carries the key by which its server recognises a repeat', async () => {
  await call({}, { idempotencyKey: 'derived' });
  expect(calls).toEqual([
    { name: 'find', arguments: { query: 'tea' }, _meta: { 'holdfast/idempotencyKey': 'derived' } },
  ]);
});
