import { join } from 'node:path';
import { createToolRegistry } from '../../../src/tools/registry';
import { runTogether } from '../../contract/support/child-process';
import { builtin, testStores } from './registry-fixtures';

const USE_REGISTRY = join(__dirname, 'children', 'use-registry.ts');

describe('the tool registry of several processes', () => {
  const stores = testStores();
  afterAll(() => stores.dispose());

  it('is seeded once and loses no registration, no removal and no count', async () => {
    const builtins = ['calculator', 'file_read', 'weather'];
    const kept = (await runTogether(
      USE_REGISTRY,
      [0, 1, 2, 3].map((process) => ({ path: stores.path, process, builtins, tools: 10 })),
    )) as string[][];
    const registry = createToolRegistry({
      documents: stores.connect(),
      builtins: builtins.map((name) => builtin(name)),
      maxTools: 1,
    });
    const expected = [...builtins, 'shared', ...kept.flat()].sort();
    expect((await registry.list()).map(({ name }) => name)).toEqual(expected);
    expect(await registry.count()).toBe(expected.length);
  });
});
