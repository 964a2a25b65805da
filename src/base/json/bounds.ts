import { scanJson } from './scan';

/**
 * The maximum nesting of JSON that comes from outside, and of arguments and results of tools. It is far below what the stack of
 * recursive code, such as a JSON serialiser or a schema, can take.
 */
export const MAX_NESTING = 256;

/** How large a value from outside may be. */
export interface ValueBounds {
  /** The maximum nesting of objects and arrays. */
  readonly levels: number;
  /** The maximum number of values, those within objects and arrays included. */
  readonly values: number;
}

/** What a value has too much of. */
export type Excess = 'levels' | 'values';

/**
 * Finds out whether a value that another library has parsed is larger than its bounds, before recursive code gets it. The walk
 * has a stack of its own and ends at the first excess, so neither depth nor width nor a cycle, which is endlessly nested, can
 * overflow or occupy it. Pure.
 * @returns undefined if the value is within its bounds
 */
export function findExcess(value: unknown, { levels, values }: ValueBounds): Excess | undefined {
  if (!isHolder(value)) return undefined;
  const holders: object[] = [value];
  const depths: number[] = [1];
  let count = 1;
  for (let holder = holders.pop(); holder !== undefined; holder = holders.pop()) {
    const depth = depths.pop() ?? 1;
    if (depth > levels) return 'levels';
    const items: readonly unknown[] = Array.isArray(holder) ? holder : Object.values(holder);
    count += items.length;
    if (count > values) return 'values';
    for (const item of items) {
      if (!isHolder(item)) continue;
      holders.push(item);
      depths.push(depth + 1);
    }
  }
  return undefined;
}

/** Describes an excess, as in `it is nested deeper than 256 levels`, with the subject left out. */
export function describeExcess(excess: Excess, { levels, values }: ValueBounds): string {
  return excess === 'levels' ? `nested deeper than ${levels} levels` : `made of more than ${values} values`;
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether valid JSON text nests objects and arrays deeper than `limit`. It uses no recursion, so the stack cannot overflow. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  return scanJson(text, limit, { numbers: false }).isTooDeep;
}
