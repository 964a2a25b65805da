import type { Neo4jSettings } from '../../src/stores/neo4j/settings';
import { createNeo4jMemoryGraph } from '../../src/stores/neo4j/memory';
import { DIMENSIONS } from './generated';
import { type Neo4jReport, runNeo4jScenario } from './neo4j-scenario';
import type { Latency } from './scenario';

const MEMORIES = 10_000;

/**
 * Measures memories on the Neo4j server of the settings, first 10,000 of 100 users, then another 10,000 of one user.
 * The database has to be empty, and the memories stay in it.
 */
export async function benchNeo4jMemory(neo4j: Neo4jSettings): Promise<Neo4jReport[]> {
  const graph = createNeo4jMemoryGraph({ neo4j: { ...neo4j, operationLimitMs: 60_000 } });
  try {
    if ((await graph.vectorSpaces()).current !== null) throw new Error('The database already has memories');
    const { id } = await graph.pinVectorSpace('bench', DIMENSIONS);
    const many = { name: 'many', first: 0, memories: MEMORIES, users: 100 };
    const one = { name: 'one', first: 2 * MEMORIES, memories: MEMORIES, users: 1 };
    return [await runNeo4jScenario(graph, id, many), await runNeo4jScenario(graph, id, one)];
  } finally {
    await graph.close();
  }
}

export function printNeo4jMemory(reports: readonly Neo4jReport[]): void {
  const both = ({ p50, p95 }: Latency): string => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
  console.log('\nNeo4j. Searches: p50 / p95, ms\n');
  console.log(
    '| users | inserts/s of one user by 100 callers | of many by 16 | one by one | text | vectors | filtered |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { name, filling, together, serial, text, vectors, filtered } of reports) {
    const rates = [filling, together, serial].map((rate) => rate.toFixed(0));
    const cells = [name, ...rates, both(text), both(vectors), both(filtered)];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
