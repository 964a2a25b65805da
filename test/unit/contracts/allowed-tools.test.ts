import { allowsTool } from '../../../src/contracts/allowed-targets';
import { allowedToolSchema } from '../../../src/contracts/http/allow-entries';

test.each([
  [['shop.buy'], true],
  [['shop.*'], true],
  [['*'], true],
  [['shop.bu'], false],
  [['shop2.*'], false],
  [[], false],
])('%j allows shop.buy: %s', (tools, expected) => {
  expect(allowsTool({ tools }, 'shop.buy')).toBe(expected);
});

test('without entries no remote tool is allowed', () => {
  expect(allowsTool({}, 'shop.buy')).toBe(false);
});

test.each(['api_call', 'shop', 'shop.', '.*', 'sh*', 'shop.b*', ''])('%j is no entry', (entry) => {
  expect(allowedToolSchema.safeParse(entry).success).toBe(false);
});
