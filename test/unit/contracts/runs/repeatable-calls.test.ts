import type { ToolCall } from '../../../../src/contracts/runs/tools';
import { mayRunTwice } from '../../../../src/contracts/runs/calls';

const request = (args: object): ToolCall => ({
  toolName: 'api_call',
  args: { url: 'https://example.com', ...args },
  implementation: { kind: 'builtin' },
});

test.each<[object, boolean]>([
  [{}, true],
  [{ method: null }, true],
  [{ method: 'GET' }, true],
  [{ method: 'head' }, true],
  [{ method: 'put' }, false],
  [{ method: 'put', repeatable: true }, true],
  [{ method: 'DELETE' }, false],
  [{ method: 'POST' }, false],
  [{ method: 'patch' }, false],
  [{ method: 7 }, false],
  [{ method: 'POST', headers: { Accept: '*/*' } }, false],
  [{ method: 'POST', headers: { 'Idempotency-Key': 'k' } }, false],
  [{ method: 'POST', repeatable: true }, true],
  [{ method: 'POST', repeatable: 'true' }, false],
  [{ method: 'POST', headers: null }, false],
])('a request with %j may be sent twice: %s', (args, expected) => {
  expect(mayRunTwice(request(args))).toBe(expected);
});

test('tools that reach nothing outside may run twice, also under the name of one that does', () => {
  const source: ToolCall['implementation'] = { kind: 'source', source: '() => 1' };
  expect(mayRunTwice({ ...request({ method: 'POST' }), implementation: source })).toBe(true);
  expect(mayRunTwice({ toolName: 'weather', args: {}, implementation: { kind: 'builtin' } })).toBe(true);
});
