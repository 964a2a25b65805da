import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { childMain } from '../../../contract/support/child-main';
import { add, episodic, pinSpace } from '../../../contract/support/memories';

/** Inserts memories into one session and prints the id of each once it is acknowledged. */
childMain(async (argument) => {
  const { path } = argument as { readonly path: string };
  const graph = createSqliteMemoryGraph({ path });
  const vector = await pinSpace(graph);
  const earlier: string[] = [];
  for (let number = 0; ; number += 1) {
    const node = episodic({ text: `walk number${number}`, labels: [`tag${number}`] });
    const middle = earlier[Math.floor(earlier.length / 2)];
    await add(graph, node, {
      vector: vector(number % 360),
      ...(middle !== undefined && number % 2 === 0 && { placement: { after: middle } }),
    });
    earlier.push(node.id);
    console.log(node.id);
  }
});
