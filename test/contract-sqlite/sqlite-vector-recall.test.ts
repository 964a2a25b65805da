import { fillFile } from '../../bench/memory/fill-file';
import { generatedVector } from '../../bench/memory/generated';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { SearchHit } from '../../src/stores/memory/search';
import { createSqliteMemoryGraph } from '../../src/stores/sqlite/memory';
import { episodic, scopeOf } from '../contract/support/memories';
import { temporaryFolder } from '../contract/support/temporary-folder';

const MEMORIES = 6_000;
const QUERIES = 20;
const LIMIT = 10;

/** Vectors as a lexical embedder makes them: few weights at places that words hash to, and zeros elsewhere. */
function sparseVector(seed: number): Float32Array {
  const values = new Float32Array(768);
  let state = seed + 1;
  const next = (): number => (state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
  for (let word = 0; word < 12; word += 1) {
    const rank = Math.floor(2_000 ** (next() / 2 ** 32));
    const place = Math.imul(rank, 0x9e3779b1) >>> 0;
    values[place % 768] =
      (values[place % 768] ?? 0) + ((place >>> 20) % 2 === 0 ? 1 : -1) * Math.log(2 + rank);
  }
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

describe.each([
  ['clustered', generatedVector],
  ['sparse', sparseVector],
])('vector search among thousands of %s vectors', (_name, vectorOf) => {
  const folder = temporaryFolder();
  const path = folder.file('memory.db');
  const ids: string[] = [];
  const vectors = Array.from({ length: MEMORIES }, (_unused, number) => vectorOf(number));
  let graph: MemoryGraph;
  let spaceId: number;

  beforeAll(async () => {
    graph = createSqliteMemoryGraph({ path });
    spaceId = (await graph.pinVectorSpace('test', 768)).id;
    await fillFile({
      path,
      memories: MEMORIES,
      batch: MEMORIES,
      insert(statements) {
        for (const [number, values] of vectors.entries()) {
          const node = episodic({ labels: number % 500 === 0 ? ['rare'] : [], weight: (number % 10) / 10 });
          ids.push(node.id);
          statements.insert({ node, vector: { spaceId, values } }, {});
        }
      },
    });
  });
  afterAll(async () => {
    await graph.close();
    folder.remove();
  });

  /** The lowest cosine among the nearest, found by comparison with every vector. Equal cosines are interchangeable. */
  const leastExact = (query: Float32Array, passes: (number: number) => boolean): number => {
    const cosines: number[] = [];
    for (const [number, values] of vectors.entries()) {
      if (!passes(number)) continue;
      let cosine = 0;
      for (let index = 0; index < values.length; index += 1)
        cosine += (values[index] ?? 0) * (query[index] ?? 0);
      cosines.push(cosine);
    }
    return cosines.sort((a, b) => b - a)[Math.min(LIMIT, cosines.length) - 1] ?? 1;
  };
  const isAsNear =
    (least: number) =>
    (hit: SearchHit): boolean =>
      hit.score >= least - 1e-4;

  it('finds at least 98 of 100 that are nearest', async () => {
    let found = 0;
    for (let number = 0; number < QUERIES; number += 1) {
      const vector = vectorOf(1_000_000 + number);
      const hits = await graph.searchVectors({ ...scopeOf('episodic'), spaceId, vector, limit: LIMIT });
      found += hits.filter(isAsNear(leastExact(vector, () => true))).length;
    }
    expect(found / (QUERIES * LIMIT)).toBeGreaterThanOrEqual(0.98);
  });

  it('finds all of the few, and the nearest of the many, that pass a filter', async () => {
    const vector = vectorOf(2_000_000);
    const query = { ...scopeOf('episodic'), spaceId, vector, limit: 100 };
    const rare = await graph.searchVectors({ ...query, filters: { anyLabel: ['rare'] } });
    expect(rare.map(({ id }) => id).sort()).toEqual(ids.filter((_, number) => number % 500 === 0).sort());
    const heavy = await graph.searchVectors({ ...query, limit: LIMIT, filters: { minWeight: 0.5 } });
    const least = leastExact(vector, (number) => number % 10 >= 5);
    expect(heavy.filter(isAsNear(least)).length).toBeGreaterThanOrEqual(LIMIT - 1);
  });
});
