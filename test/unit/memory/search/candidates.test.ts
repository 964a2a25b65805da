import { findCandidates } from '../../../../src/memory/search/candidates';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { episodic } from '../../../contract/support/memories';
import { countLoopIterations, useSteppingClock } from '../../../support/loop-iterations';

test('others have their turn while it is looked at which memories are left out', async () => {
  const nodes = Array.from({ length: 200 }, (_, n): MemoryNode => {
    const node = episodic({ text: `question ${n}?` });
    return { ...node, revision: 1, readCount: 0, readAt: null };
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const graph = {
    getMany: (ids: readonly string[]) =>
      Promise.resolve(new Map(ids.map((id) => [id, byId.get(id) as MemoryNode]))),
  };
  const hits = nodes.map(({ id }, n) => ({ id, score: 1 - n / 1_000 }));
  const query = {
    find: () => Promise.resolve([hits, []] as const),
    minCandidates: 1_000,
    except: () => true,
  };
  const clock = useSteppingClock();
  const iterations = await countLoopIterations(() => findCandidates(graph, query));
  clock.restore();
  expect(iterations).toBeGreaterThan(200 / 4);
});
