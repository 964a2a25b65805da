import type { DocumentWrite, StoredDocument, TenantDocuments } from '../stores/documents';
import { createShards, type Shards } from '../stores/shards';
import {
  addShards,
  type Counters,
  NO_TOTALS,
  type RecordedOutcome,
  type ToolShard,
  type Totals,
  type TotalsAndTools,
} from './statistics-counters';

const OUTCOMES = 'tool-outcomes';
const COUNTERS = 'tool-counters';
const SHARDS = 'tool-shards';
const TOTALS = { collection: 'tool-totals', key: 'totals' } as const;

/** A value and the version that its document must have for a write to succeed; 0 if there is no document yet. */
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

/** Reads and writes the documents of the statistics. */
export interface StatisticsDocuments {
  /** The key of this process's shard for a tool at a time, epoch milliseconds. */
  shardKey(at: number, toolName: string): string;
  shards(keys: readonly string[]): Promise<Map<string, StoredDocument<ToolShard>>>;
  outcomes(keys: readonly string[]): Promise<Map<string, StoredDocument<RecordedOutcome>>>;
  /** Writes all or nothing; returns false if one of the documents is not at its version. */
  write(change: StatisticsWrite): Promise<boolean>;
  /** The totals of all processes. */
  totals(): Promise<Totals>;
  /**
   * The counters of tools over all processes, without those that were never called. They are for estimates only: a
   * roll-up under way may make them inexact, and callers that ask at the same time share one reading.
   */
  counters(toolNames: readonly string[]): Promise<ReadonlyMap<string, Counters>>;
  /** See `Shards.rollUp`. */
  rollUp(signal: AbortSignal): Promise<number>;
}

export interface StatisticsDocumentsOptions {
  readonly documents: TenantDocuments;
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
    const counters = await documents.getEach<Counters>(COUNTERS, [...new Set(toolNames)]);
    return new Map([...counters].map(([key, { value }]) => [key, value]));
  }

  async function addToTotals(
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
      // An fsync in every tool call would cost more than a figure that is lost in a power cut.
      return documents.write(writes, { durability: 'process' });
    },
    totals: () => shards.readAll(async (totals, all) => (await addToTotals(totals, all)).totals),
    async counters(toolNames) {
      const names = new Set(toolNames);
      if (names.size === 0) return new Map();
      // Callers that ask at the same time share a reading, because an estimate needs no newer one.
      listing ??= shards.list().finally(() => (listing = undefined));
      const [tools, all] = await Promise.all([rolledUpCounters(names), listing]);
      const named = all.filter(({ name }) => names.has(name));
      return new Map([...tools, ...addShards({ totals: NO_TOTALS, tools }, named).tools]);
    },
    rollUp: (signal) =>
      shards.rollUp(async (totals, some) => {
        const sums = await addToTotals(totals, some);
        const writes = [...sums.tools].map(
          ([key, value]) => ({ type: 'put', collection: COUNTERS, key, value }) as const,
        );
        return { totals: sums.totals, writes };
      }, signal),
  };
}
