import type { DocumentStore, DocumentWrite, StoredDocument } from '../stores/documents';
import { createShards, type Shards } from '../stores/shards';
import { addShards, NO_TOTALS } from './statistics-counters';
import type { Counters, RecordedOutcome, ToolShard, Totals, TotalsAndTools } from './statistics-counters';

const OUTCOMES = 'tool-outcomes';
const COUNTERS = 'tool-counters';
const SHARDS = 'tool-shards';
const TOTALS = { collection: 'tool-totals', key: 'totals' } as const;

/** A value and the version that a write of it is to meet; 0: there is no document yet. */
export interface Versioned<T> {
  readonly value: T;
  readonly version: number;
}

export interface StatisticsWrite {
  /** By key of the shard. */
  readonly shards: Iterable<readonly [string, Versioned<ToolShard>]>;
  /** By key of the call. */
  readonly outcomes: Iterable<readonly [string, Versioned<RecordedOutcome>]>;
  /** Epoch milliseconds at which the outcomes may be forgotten. */
  readonly expiresAt: number;
}

/** Where and how the statistics keep their documents. */
export interface StatisticsDocuments {
  /** The shard of this process for a tool, at a time in epoch milliseconds. */
  shardKey(at: number, toolName: string): string;
  shards(keys: readonly string[]): Promise<Map<string, StoredDocument<ToolShard>>>;
  outcomes(keys: readonly string[]): Promise<Map<string, StoredDocument<RecordedOutcome>>>;
  /** All or nothing; false when one of the documents is not at its version. */
  write(change: StatisticsWrite): Promise<boolean>;
  /** The totals of all processes. */
  totals(): Promise<Totals>;
  /**
   * The counters of tools over all processes, without those that were never called. For estimates: not guarded against a
   * roll-up, and shared by callers that come together.
   */
  counters(toolNames: readonly string[]): Promise<ReadonlyMap<string, Counters>>;
  /** See `Shards.rollUp`. */
  rollUp(signal: AbortSignal): Promise<number>;
}

export interface StatisticsDocumentsOptions {
  readonly documents: DocumentStore;
  /** See `ShardsOptions`. */
  readonly process: string;
  readonly now: () => number;
}

export function createStatisticsDocuments(options: StatisticsDocumentsOptions): StatisticsDocuments {
  const { documents } = options;
  const shards: Shards<Totals, ToolShard> = createShards({
    ...options,
    what: 'the tool statistics',
    shards: SHARDS,
    totals: TOTALS,
  });

  let listing: ReturnType<typeof shards.list> | undefined;

  async function rolledUpCounters(toolNames: Iterable<string>): Promise<Map<string, Counters>> {
    const found = await documents.getEach<Counters>(COUNTERS, [...new Set(toolNames)]);
    return new Map([...found].map(([key, { value }]) => [key, value]));
  }

  async function added(
    totals: Totals = NO_TOTALS,
    some: readonly { readonly name: string; readonly value: ToolShard }[],
  ): Promise<TotalsAndTools> {
    const tools = await rolledUpCounters(some.map(({ name }) => name));
    return addShards({ totals, tools }, some);
  }

  return {
    shardKey: (at, toolName) => shards.keyOf(at, toolName),
    shards: (keys) => documents.getEach(SHARDS, keys),
    outcomes: (keys) => documents.getEach(OUTCOMES, keys),
    write: (change) => {
      const { expiresAt } = change;
      const writes: DocumentWrite[] = [];
      for (const [key, { value, version }] of change.shards) {
        writes.push({ type: 'put', collection: SHARDS, key, value, ifVersion: version });
      }
      for (const [key, { value, version }] of change.outcomes) {
        writes.push({ type: 'put', collection: OUTCOMES, key, value, expiresAt, ifVersion: version });
      }
      // A figure lost in a power cut is worth less than an fsync in every tool call.
      return documents.write(writes, { durability: 'process' });
    },
    totals: () => shards.readAll(async (totals, all) => (await added(totals, all)).totals),
    async counters(toolNames) {
      const names = new Set(toolNames);
      if (names.size === 0) return new Map();
      // Callers that come together share a reading: an estimate needs no newer one.
      listing ??= shards.list().finally(() => (listing = undefined));
      const [tools, all] = await Promise.all([rolledUpCounters(names), listing]);
      const named = all.filter(({ name }) => names.has(name));
      return new Map([...tools, ...addShards({ totals: NO_TOTALS, tools }, named).tools]);
    },
    rollUp: (signal) =>
      shards.rollUp(async (totals, some) => {
        const sums = await added(totals, some);
        const writes = [...sums.tools].map(
          ([key, value]) => ({ type: 'put', collection: COUNTERS, key, value }) as const,
        );
        return { totals: sums.totals, writes };
      }, signal),
  };
}
