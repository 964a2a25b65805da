import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Large values are encoded with message classes of one package and checked against the class of another. Two
 * copies of protobufjs among Temporal's packages make that check fail, and every large value with it.
 */
test('the Temporal packages share one copy of protobufjs', () => {
  const copies = ['@temporalio/common', '@temporalio/proto', '@temporalio/worker'].map((name) =>
    realpathSync(createRequire(require.resolve(name)).resolve('protobufjs')),
  );
  expect(new Set(copies).size).toBe(1);
});
