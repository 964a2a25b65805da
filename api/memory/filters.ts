import type { ScoreRange, TimeRange } from '../../src/memory/nodes/memory-inputs';
import type { MemoryFilters } from '../../src/stores/memory/search';

export interface AskedFilters {
  readonly sessionId?: string | undefined;
  readonly timeRange?: TimeRange | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly importance?: ScoreRange | undefined;
}

/** Converts the filters of a request to those of the stores. */
export function toFilters({ sessionId, timeRange, labels, importance }: AskedFilters): MemoryFilters {
  const { start, end } = timeRange ?? {};
  const { min, max } = importance ?? {};
  return {
    sessionId,
    ...(start === undefined ? {} : { from: Date.parse(start) }),
    ...(end === undefined ? {} : { to: Date.parse(end) }),
    anyLabel: labels,
    minWeight: min,
    maxWeight: max,
  };
}
