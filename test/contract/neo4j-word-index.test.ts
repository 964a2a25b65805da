import { createNeo4jMemoryGraph } from '../../src/stores/neo4j/memory';
import { describeWithNeo4j, queryNeo4j, useNeo4j } from '../support/neo4j';
import { add, episodic, scopeOf } from './support/memories';

describeWithNeo4j('words on a Neo4j server', () => {
  const address = useNeo4j();

  it('are found as another version indexed them, until they are indexed again', async () => {
    const graph = createNeo4jMemoryGraph({ neo4j: address() });
    try {
      expect(await graph.isWordIndexCurrent()).toBe(true);
      const nodes = ['我喜欢喝绿茶', 'ชาเขียว', 'green tea'].map((text, index) =>
        episodic({ id: `memory-${index}`, text }),
      );
      for (const node of nodes) await add(graph, node);
      const foundBy = async (text: string): Promise<string[]> =>
        (await graph.searchText({ ...scopeOf('episodic'), text, limit: 5 })).map(({ id }) => id);
      await queryNeo4j(
        address(),
        `MATCH (memory:HoldfastMemory) SET memory.terms = CASE memory.id WHEN $tea THEN memory.terms
           WHEN $thai THEN 'zqx' ELSE '我喜欢喝绿茶' END`,
        { tea: nodes[2]?.id, thai: nodes[1]?.id },
      );
      await queryNeo4j(address(), `MATCH (words:HoldfastWordIndex) SET words.version = '1/0.0'`);
      expect(await graph.isWordIndexCurrent()).toBe(false);
      expect([await foundBy('绿茶'), await foundBy('zqx')]).toEqual([[], [nodes[1]?.id]]);
      expect(await foundBy('我喜欢喝绿茶')).toEqual([nodes[0]?.id]);
      const first = await graph.renewWords({ limit: 2 });
      expect(first).toEqual({ renewed: 2, after: nodes[1]?.id });
      expect(await graph.isWordIndexCurrent()).toBe(false);
      expect(await graph.renewWords({ ...first, limit: 2 })).toEqual({ renewed: 0 });
      expect(await graph.isWordIndexCurrent()).toBe(true);
      expect([
        await foundBy('绿茶'),
        await foundBy('ชา'),
        await foundBy('tea'),
        await foundBy('zqx'),
      ]).toEqual([[nodes[0]?.id], [nodes[1]?.id], [nodes[2]?.id], []]);
    } finally {
      await graph.close();
    }
  });
});
