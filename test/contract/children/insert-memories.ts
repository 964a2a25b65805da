import type { MemoryGraph } from '../../../src/stores/memory/memory-graph';
import { childMain } from '../support/child-main';
import { add, episodic } from '../support/memories';
import type { MemoryGraphAddress } from '../support/memory-harness';

interface InsertArgument {
  readonly address: MemoryGraphAddress;
  readonly count: number;
}

/** Inserts memories into one session, all at once, and returns their ids. */
childMain(async (argument, gate) => {
  const { address, count } = argument as InsertArgument;
  const module = (await import(address.module)) as Record<string, (settings: unknown) => MemoryGraph>;
  const graph = module[address.factory]?.(address.settings);
  if (graph === undefined) throw new Error(`${address.module} has no ${address.factory}`);
  await graph.ping();
  await gate();
  const nodes = Array.from({ length: count }, () => episodic());
  try {
    await Promise.all(nodes.map((node) => add(graph, node)));
  } finally {
    // Open connections would keep a failed process alive.
    await graph.close();
  }
  return nodes.map(({ id }) => id);
});
