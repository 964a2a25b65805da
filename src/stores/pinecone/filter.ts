import type { MemoryFilters } from '../memory/search';

type Condition = Readonly<Record<string, number | readonly string[]>>;

/** Conditions on fields of the metadata in Pinecone's filter language. A vector must meet all of them. */
export type Filter = Readonly<Record<string, Condition>>;

/** Converts filters to Pinecone's form; undefined where there is no condition. It ignores `sessionId`. */
export function toFilter({ from, to, anyLabel, minWeight, maxWeight }: MemoryFilters): Filter | undefined {
  const conditions: Record<string, Condition> = {
    timestamp: range(from, to),
    labels: anyLabel === undefined ? {} : { $in: anyLabel },
    weight: range(minWeight, maxWeight),
  };
  const given = Object.entries(conditions).filter(([, condition]) => Object.keys(condition).length > 0);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function range(min: number | undefined, max: number | undefined): Condition {
  return { ...(min === undefined ? {} : { $gte: min }), ...(max === undefined ? {} : { $lte: max }) };
}
