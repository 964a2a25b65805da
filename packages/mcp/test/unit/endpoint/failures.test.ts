import { pino } from 'pino';
import { createMcp } from '../../../endpoint/create-mcp';
import { HoldfastError } from '../../../../../src/base/errors';
import { createRequestContext } from '../../../../../test/support/request-context';

const faults: string[] = [];
const lines: { level: number; code?: string }[] = [];
const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
let failure: Error;

type Ports = Parameters<typeof createMcp>[0];
const mcp = createMcp({
  logger,
  metrics: { requestFailed: (fault: string) => void faults.push(fault) },
  offered: new Set(['tools']),
  secrets: {},
  offerOf: () => Promise.reject(failure),
} as unknown as Ports);
afterAll(() => mcp.close());

beforeEach(() => {
  [faults.length, lines.length] = [0, 0];
});

/** Asks for the tools. */
async function ask(): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const context = createRequestContext({ logger });
  const { signal: closed } = new AbortController();
  return (await mcp.handle({ request, body, context, closed })).text();
}

test('a request that fails because of the service is counted and logged as over HTTP', async () => {
  failure = new HoldfastError('STORE_UNAVAILABLE', 'gone', { cause: new Error('disk') });
  expect(await ask()).toContain('-32603');
  await ask();
  expect(faults).toEqual(['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE']);
  // During an outage every request fails, so not each has a line.
  expect(lines).toMatchObject([{ level: 40, code: 'STORE_UNAVAILABLE' }]);
});

test('an error that is not expected is counted, logged, and sent without its message', async () => {
  failure = new Error('a secret');
  expect(await ask()).not.toContain('a secret');
  expect(faults).toEqual(['INTERNAL']);
  expect(lines).toMatchObject([{ level: 50, code: 'INTERNAL' }]);
});

test('an error of the caller is neither', async () => {
  failure = new HoldfastError('ACCESS_DENIED', 'There are 1000 tenants already');
  expect(await ask()).toContain('-32602');
  expect([faults, lines]).toEqual([[], []]);
});
