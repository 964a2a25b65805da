import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { SpaceVector } from '../../src/stores/memory/node';
import { percentile } from '../statistics';
import { generatedMemory, generatedQuestion, generatedVector } from './generated';
import type { Latency } from './scenario';

/** Enough for inserts of one user to share transactions, which is the quick way to many memories. */
const FILLERS = 100;
const CALLERS = 16;
const INSERTS_TOGETHER = 400;
const SERIAL_INSERTS = 100;
const SEARCHES = 60;
const LIMIT = 10;
/** Numbers of queries, beyond those of all memories. */
const FIRST_QUERY = 10_000_000;

export interface Neo4jScenario {
  readonly name: string;
  /** Of the first of the memories made; those of a scenario before it stay in the database. */
  readonly first: number;
  readonly memories: number;
  readonly users: number;
}

export interface Neo4jReport {
  readonly name: string;
  /** Inserts a second while the database is filled, a hundred callers at one user after the other. */
  readonly filling: number;
  /** Inserts a second by sixteen callers, each for the next user, at this size. */
  readonly together: number;
  /** Inserts a second, one after the other, at this size. */
  readonly serial: number;
  readonly text: Latency;
  readonly vectors: Latency;
  /** Vector search of the tenth of the memories that have one of five labels. */
  readonly filtered: Latency;
}

/** Measures a Neo4j server through the port alone. */
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
  const filling = await rateOf(memories, FILLERS, (index) =>
    insert(first + index, userOf(Math.floor((index * users) / memories))),
  );
  const together = await rateOf(INSERTS_TOGETHER, CALLERS, (index) =>
    insert(first + memories + index, `${name}-other-${index % users}`),
  );
  const serial = await rateOf(SERIAL_INSERTS, 1, (index) =>
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

/** How many inserts a second so many callers make. */
async function rateOf(
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
