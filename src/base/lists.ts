export interface BatchLimits<T> {
  readonly sizeOf: (item: T) => number;
  /** The maximum of the sizes of a batch together, unless a single item is larger. */
  readonly maxSize: number;
  /** The maximum number of items of a batch; absent: any. */
  readonly maxItems?: number;
}

/** Splits items, in their order, into as few batches as possible. A batch is made when the caller asks for it. */
export function* splitIntoBatches<T>(
  items: Iterable<T>,
  { sizeOf, maxSize, maxItems = Number.POSITIVE_INFINITY }: BatchLimits<T>,
): Generator<T[]> {
  let batch: T[] = [];
  let total = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (batch.length === maxItems || (batch.length > 0 && total + size > maxSize)) {
      yield batch;
      batch = [];
      total = 0;
    }
    batch.push(item);
    total += size;
  }
  if (batch.length > 0) yield batch;
}

/** Groups items by a key. Each group has at least one item, and the groups are in the order of their first items. Pure. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
