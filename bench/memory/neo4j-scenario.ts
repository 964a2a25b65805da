import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { SpaceVector } from '../../src/stores/memory/node';
import { percentile } from '../statistics';
import { generatedMemory, generatedQuestion, generatedVector } from './generated';
import type { Latency } from './scenario';

/** Enough callers for inserts of one user to share transactions, which fills the database faster. */
const FILLERS = 100;
const CALLERS = 16;
const INSERTS_TOGETHER = 400;
const SERIAL_INSERTS = 100;
const SEARCHES = 60;
const LIMIT = 10;
/** The number of the first query, above the numbers of all memories. */
const FIRST_QUERY = 10_000_000;

export interface Neo4jScenario {
  readonly name: string;
  /** The number of the first memory. The memories of earlier scenarios stay in the database. */
  readonly first: number;
  readonly memories: number;
  readonly users: number;
}

export interface Neo4jReport {
  readonly name: string;
  /** Inserts in a second while the database is filled by a hundred callers, for one user after another. */
  readonly filling: number;
  /** Inserts in a second by sixteen callers at this size, each for the next user. */
  readonly together: number;
  /** Inserts in a second by one caller at this size. */
  readonly serial: number;
  readonly text: Latency;
  readonly vectors: Latency;
  /** Vector search with a filter by labels, which a tenth of the memories pass. */
  readonly filtered: Latency;
}

/** Measures a Neo4j server through the port `MemoryGraph`. */
export async function runNeo4jScenario(
  graph: MemoryGraph,
  spaceId: number,
  { name, first, memories, users }: Neo4jScenario,
): Promise<Neo4jReport> {
  const userOf = (index: number): string => `${name}-${index % users}`;
  const insert = async (number: number, userId: string): Promise<void> => {
    const vector: SpaceVector = { spaceId, values: generatedVector(number) };
    await graph.insert({ node: { ...generatedMemory(number, users), userId }, vector });
  };
  const filling = await measureRate(memories, FILLERS, (index) =>
    insert(first + index, userOf(Math.floor((index * users) / memories))),
  );
  const together = await measureRate(INSERTS_TOGETHER, CALLERS, (index) =>
    insert(first + memories + index, `${name}-other-${index % users}`),
  );
  const serial = await measureRate(SERIAL_INSERTS, 1, (index) =>
    insert(first + memories + INSERTS_TOGETHER + index, `${name}-another`),
  );
  const scope = (index: number) => ({ userId: userOf(index), kind: 'episodic' as const, limit: LIMIT });
  const near = (index: number) => ({
    ...scope(index),
    spaceId,
    vector: generatedVector(FIRST_QUERY + index),
  });
  const anyLabel = [0, 1, 2, 3, 4].map((tag) => `tag-${tag}`);
  return {
    name,
    filling,
    together,
    serial,
    text: await measure((index) =>
      graph.searchText({ ...scope(index), text: generatedQuestion(FIRST_QUERY + index) }),
    ),
    vectors: await measure((index) => graph.searchVectors(near(index))),
    filtered: await measure((index) => graph.searchVectors({ ...near(index), filters: { anyLabel } })),
  };
}

/** Measures how many inserts a number of callers make in a second. */
async function measureRate(
  count: number,
  callers: number,
  insert: (index: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  const call = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await insert(index);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: callers }, call));
  return (count / (performance.now() - started)) * 1_000;
}

async function measure(search: (index: number) => Promise<unknown>): Promise<Latency> {
  const samples: number[] = [];
  for (let index = 0; index < 5; index += 1) await search(index);
  for (let index = 0; index < SEARCHES; index += 1) {
    const started = performance.now();
    await search(index);
    samples.push(performance.now() - started);
  }
  return { p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) };
}
