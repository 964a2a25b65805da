import type { DocumentStore, DocumentWrite, StoredDocument } from '../stores/documents';
import { NO_TOTALS } from './statistics-counters';
import type { Counters, CountersChange, RecordedOutcome, Totals } from './statistics-counters';

const OUTCOMES = 'tool-outcomes';
const COUNTERS = 'tool-counters';
const TOTALS = 'tool-totals';
const TOTALS_KEY = 'totals';

/**
 * Every batch writes the totals on the version it read, so all batches of all processes have one order, and
 * whatever was read after the totals is still so if their version is. Never deleted.
 */
export interface VersionedTotals {
  readonly value: Totals;
  /** 0 before the first write. */
  readonly version: number;
}

export interface StatisticsWrite extends CountersChange {
  readonly totalsVersion: number;
  /** True: none of the outcomes may be there yet. */
  readonly onlyNew: boolean;
  /** Epoch milliseconds at which the outcomes may be forgotten. */
  readonly expiresAt: number;
}

/** Where and how the statistics keep their documents. */
export interface StatisticsDocuments {
  totals(): Promise<VersionedTotals>;
  counters(toolNames: readonly string[]): Promise<Map<string, Counters>>;
  outcomes(keys: readonly string[]): Promise<Map<string, RecordedOutcome>>;
  /** All or nothing; false when somebody else wrote since the totals were read. */
  write(change: StatisticsWrite): Promise<boolean>;
}

export function createStatisticsDocuments(documents: DocumentStore): StatisticsDocuments {
  return {
    totals: async () => (await documents.get<Totals>(TOTALS, TOTALS_KEY)) ?? { value: NO_TOTALS, version: 0 },
    counters: async (toolNames) => valuesOf(await documents.getMany<Counters>(COUNTERS, toolNames)),
    outcomes: async (keys) => valuesOf(await documents.getMany<RecordedOutcome>(OUTCOMES, keys)),
    write: ({ totals, totalsVersion, tools, outcomes, onlyNew, expiresAt }) => {
      const writes: DocumentWrite[] = [
        { type: 'put', collection: TOTALS, key: TOTALS_KEY, value: totals, ifVersion: totalsVersion },
      ];
      for (const [key, value] of tools) writes.push({ type: 'put', collection: COUNTERS, key, value });
      for (const [key, value] of outcomes) {
        const put = { type: 'put', collection: OUTCOMES, key, value, expiresAt } as const;
        writes.push(onlyNew ? { ...put, ifVersion: 0 } : put);
      }
      // A figure lost in a power cut is worth less than an fsync in every tool call.
      return documents.write(writes, { durability: 'process' });
    },
  };
}

function valuesOf<T>(found: Map<string, StoredDocument<T>>): Map<string, T> {
  return new Map([...found].map(([key, { value }]) => [key, value]));
}
