import { registryName } from '../../../client/tool-names';
import { toolNameSchema } from '../../../../../src/tools/registry-names';

test('a name that the registry accepts is kept', () => {
  expect(registryName('shop', 'find_items')).toBe('shop.find_items');
  expect(registryName('shop', 'v1.find')).toBe('shop.v1.find');
});

test('other names get other characters and a part of their hash', () => {
  expect(registryName('shop', 'find items')).toMatch(/^shop\.find_items_[0-9a-f]{6}$/);
  expect(registryName('shop', 'find items')).not.toBe(registryName('shop', 'find/items'));
  expect(registryName('shop', 'search'.repeat(30))).toHaveLength(64);
});

test('every name is one that the registry accepts', () => {
  for (const tool of ['', 'ü', '💡'.repeat(40), 'x'.repeat(200), '../../x', '__proto__', 'constructor']) {
    expect(toolNameSchema.safeParse(registryName('shop', tool)).success).toBe(true);
  }
});
