import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { createSqliteMemoryGraph } from '../../src/stores/sqlite/memory';
import type { MemoryStatements } from '../../src/stores/sqlite/memory/memory-statements';
import { percentile } from '../statistics';
import { fillFile } from './fill-file';
import { DIMENSIONS, generatedMemory, generatedQuestion, generatedVector } from './generated';
import { makeBenchFolder } from '../unwinding';

const INSERTS = 500;
const SEARCHES = 60;
const ROUNDS = 8;
const RECALL_QUERIES = 20;
const LIMIT = 10;
const BATCH = 500;
/** The number of the first query, above the numbers of all memories. */
const FIRST_QUERY = 10_000_000;
const BYTES_PER_MEBIBYTE = 1024 * 1024;

export interface Latency {
  /** Both in ms. */
  readonly p50: number;
  readonly p95: number;
}

export interface SearchCost extends Latency {
  /** CPU time of a search in all threads, ms. Other programs affect it little. */
  readonly cpu: number;
}

export interface ScenarioReport {
  readonly memories: number;
  readonly users: number;
  /** Inserts in a second at this size, one after another, each with an fsync. */
  readonly ingest: number;
  readonly text: SearchCost;
  readonly vectors: SearchCost;
  /** Vector search with a filter by labels, which a tenth of the memories pass. */
  readonly filtered: SearchCost;
  /** The share of the ten exactly nearest memories that the search finds, 0 to 1. */
  readonly recall: number;
  /** Longest time that the event loop was blocked during the searches, ms. */
  readonly loopDelay: number;
  readonly diskMb: number;
  /** Resident memory of the process, MiB. */
  readonly memoryMb: number;
}

/** Measures the embedded store at one size. */
export async function runScenario(memories: number, users: number): Promise<ScenarioReport> {
  const folder = makeBenchFolder();
  const path = join(folder, 'memory.db');
  const graph = createSqliteMemoryGraph({ path });
  try {
    const { id: spaceId } = await graph.pinVectorSpace('bench', DIMENSIONS);
    const queries = Array.from({ length: RECALL_QUERIES }, (_, index) =>
      generatedVector(FIRST_QUERY + index),
    );
    const exact = await fill({ path, memories, users, spaceId, queries });
    const scope = (index: number) => ({
      userId: `user-${index % users}`,
      kind: 'episodic' as const,
      limit: LIMIT,
    });
    const near = (index: number) => ({
      ...scope(index),
      spaceId,
      vector: generatedVector(FIRST_QUERY + index),
    });
    const anyLabel = [0, 1, 2, 3, 4].map((tag) => `tag-${tag}`);
    const ingest = await measureIngest(graph, { memories, users, spaceId });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const report = {
      text: await measure((index) =>
        graph.searchText({ ...scope(index), text: generatedQuestion(FIRST_QUERY + index) }),
      ),
      vectors: await measure((index) => graph.searchVectors(near(index))),
      filtered: await measure((index) => graph.searchVectors({ ...near(index), filters: { anyLabel } })),
    };
    delay.disable();
    let found = 0;
    for (const [index, nearest] of exact.entries()) {
      const hits = await graph.searchVectors(near(index));
      found += hits.filter(({ id }) => nearest.ids.has(id)).length / Math.min(LIMIT, nearest.ids.size);
    }
    return {
      memories,
      users,
      ingest,
      ...report,
      recall: found / exact.length,
      loopDelay: delay.max / 1e6,
      diskMb: readDiskBytes(folder) / BYTES_PER_MEBIBYTE,
      memoryMb: process.memoryUsage().rss / BYTES_PER_MEBIBYTE,
    };
  } finally {
    await graph.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface FillOptions {
  readonly path: string;
  readonly memories: number;
  readonly users: number;
  readonly spaceId: number;
  readonly queries: readonly Float32Array[];
}

/** Collects the memories nearest to a query. */
class Nearest {
  #hits: { readonly id: string; readonly score: number }[] = [];

  offer(id: string, score: number): void {
    if (this.#hits.length === LIMIT && score <= (this.#hits.at(-1)?.score ?? 0)) return;
    this.#hits = [...this.#hits, { id, score }].sort((a, b) => b.score - a.score).slice(0, LIMIT);
  }

  get ids(): Set<string> {
    return new Set(this.#hits.map(({ id }) => id));
  }
}

/**
 * Fills the store with many memories in each transaction, because filling is not measured. Returns the exactly
 * nearest memories to each query.
 */
async function fill({ path, memories, users, spaceId, queries }: FillOptions): Promise<Nearest[]> {
  const exact = queries.map(() => new Nearest());
  const insertBatch = (statements: MemoryStatements, first: number): void => {
    for (let number = first; number < Math.min(first + BATCH, memories); number += 1) {
      const node = generatedMemory(number, users);
      const values = generatedVector(number);
      statements.insert({ node, vector: { spaceId, values } }, {});
      for (const [index, query] of queries.entries()) {
        if (node.userId === `user-${index % users}`) exact[index]?.offer(node.id, dot(query, values));
      }
    }
  };
  await fillFile({ path, memories, batch: BATCH, insert: insertBatch });
  return exact;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/**
 * Measures inserts. They belong to a separate user, so that the searches still see the number of memories to measure.
 */
async function measureIngest(
  graph: MemoryGraph,
  { memories, users, spaceId }: { memories: number; users: number; spaceId: number },
): Promise<number> {
  let spent = 0;
  for (let number = memories; number < memories + INSERTS; number += 1) {
    const node = { ...generatedMemory(number, users), userId: 'another' };
    const vector = { spaceId, values: generatedVector(number) };
    const started = performance.now();
    await graph.insert({ node, vector });
    spent += performance.now() - started;
    await yieldToLoop();
  }
  return (INSERTS / spent) * 1_000;
}

/** Measures several rounds and returns the one with the lowest p95, because other load on the machine varies. */
async function measure(search: (index: number) => Promise<unknown>): Promise<SearchCost> {
  await search(0);
  const rounds: SearchCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureRound(search));
  return rounds.reduce((best, each) => (each.p95 < best.p95 ? each : best));
}

async function measureRound(search: (index: number) => Promise<unknown>): Promise<SearchCost> {
  const samples: number[] = [];
  const before = process.cpuUsage();
  for (let index = 0; index < SEARCHES; index += 1) {
    const started = performance.now();
    await search(index);
    samples.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(before);
  return {
    p50: percentile(samples, 0.5),
    p95: percentile(samples, 0.95),
    cpu: (user + system) / 1_000 / SEARCHES,
  };
}

function readDiskBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
