import { createDocumentStore } from '../../../../src/factories/create-stores';
import { createToolRegistry } from '../../../../src/tools/registry';
import { childMain } from '../../../contract/support/child-main';
import { builtin, registration } from '../registry-fixtures';

interface UseRegistryArgument {
  readonly path: string;
  readonly process: number;
  readonly builtins: readonly string[];
  /** How many tools it registers itself; it removes every second one. */
  readonly tools: number;
}

/** Seeds, registers and removes tools while others do; returns the names that it should find afterwards. */
childMain(async (argument, gate) => {
  const { path, process, builtins, tools } = argument as UseRegistryArgument;
  const documents = createDocumentStore({ path, busyTimeoutMs: 10_000 });
  const definitions = builtins.map((name) => builtin(name));
  const registry = createToolRegistry({ documents, builtins: definitions, maxTools: 1_000 });
  await gate();
  await registry.seed();
  const kept: string[] = [];
  for (let number = 0; number < tools; number += 1) {
    const name = `tool-${process}-${number}`;
    await registry.register(registration(name));
    await registry.register(registration('shared', `() => ${process}`));
    if (number % 2 === 0) kept.push(name);
    else await registry.remove(name);
  }
  await documents.close();
  return kept;
});
