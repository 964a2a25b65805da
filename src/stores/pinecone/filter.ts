import type { MemoryFilters } from '../memory/search';

type Condition = Readonly<Record<string, number | readonly string[]>>;

/** Conditions on fields of the metadata, in Pinecone's filter language; all of them must hold. */
export type Filter = Readonly<Record<string, Condition>>;

/** The filters as Pinecone has them; undefined where there is no condition. `sessionId` is not one of them. */
export function toFilter({ from, to, anyLabel, minWeight, maxWeight }: MemoryFilters): Filter | undefined {
  const conditions: Record<string, Condition> = {
    timestamp: range(from, to),
    labels: anyLabel === undefined ? {} : { $in: anyLabel },
    weight: range(minWeight, maxWeight),
  };
  const given = Object.entries(conditions).filter(([, condition]) => Object.keys(condition).length > 0);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function range(least: number | undefined, most: number | undefined): Condition {
  return { ...(least === undefined ? {} : { $gte: least }), ...(most === undefined ? {} : { $lte: most }) };
}
