import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { MemoryNode, SpaceVector } from '../../src/stores/memory/node';
import type { MemoryFilters } from '../../src/stores/memory/search';
import type { VectorTombstone } from '../../src/stores/memory/vector-outbox';

type Needed =
  | 'getMany'
  | 'searchVectors'
  | 'listPendingVectors'
  | 'releaseVectors'
  | 'listTombstones'
  | 'deleteTombstones';

export type MemoryFields = Partial<Pick<MemoryNode, 'userId' | 'timestamp' | 'labels' | 'weight'>>;

/** The part of a graph that the moving and the search of vectors need, in memory, made with `vectorsElsewhere`. */
export interface OutboxGraph extends Pick<MemoryGraph, Needed> {
  /** Adds a memory; by default a semantic memory of "ann" in space 1. */
  add(id: string, values: Float32Array, fields?: MemoryFields): void;
  change(id: string, fields: MemoryFields, values?: Float32Array): void;
  /** Releases a vector, as the relay does once the index shows it. */
  release(id: string): void;
  delete(id: string): void;
  /** Reads a memory that exists. */
  node(id: string): MemoryNode;
  heldIds(): string[];
}

const SPACE = 1;

export function createOutboxGraph(): OutboxGraph {
  const nodes = new Map<string, MemoryNode>();
  const held = new Map<string, SpaceVector>();
  let dropped: VectorTombstone[] = [];

  const node = (id: string): MemoryNode => {
    const found = nodes.get(id);
    if (found === undefined) throw new Error(`There is no memory ${id}`);
    return found;
  };

  return {
    node,
    heldIds: () => [...held.keys()],
    add(id, values, fields = {}) {
      nodes.set(id, { ...BLANK, id, ...fields });
      held.set(id, { spaceId: SPACE, values });
    },
    change(id, fields, values) {
      const before = node(id);
      nodes.set(id, { ...before, ...fields, revision: before.revision + 1 });
      if (values !== undefined) held.set(id, { spaceId: SPACE, values });
    },
    release: (id) => void held.delete(id),
    delete(id) {
      const { userId } = node(id);
      nodes.delete(id);
      held.delete(id);
      dropped.push({ id, userId, spaceId: SPACE });
    },

    getMany: (ids) => {
      const found = ids.flatMap((id) => {
        const one = nodes.get(id);
        return one === undefined ? [] : [[id, one] as const];
      });
      return Promise.resolve(new Map(found));
    },
    searchVectors: ({ userId, kind, spaceId, vector, limit, filters = {} }) => {
      const hits = [...held]
        .filter(([id, { spaceId: own }]) => {
          const one = node(id);
          return own === spaceId && one.userId === userId && one.kind === kind && meets(one, filters);
        })
        .map(([id, { values }]) => ({ id, score: dot(values, vector) }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      return Promise.resolve(hits.slice(0, limit));
    },
    listPendingVectors: (limit) =>
      Promise.resolve([...held].slice(0, limit).map(([id, vector]) => ({ node: node(id), vector }))),
    releaseVectors: (shown) => {
      const released = shown.filter(
        ({ id, revision }) => nodes.get(id)?.revision === revision && held.delete(id),
      );
      return Promise.resolve(released.length);
    },
    listTombstones: (limit) => Promise.resolve(dropped.slice(0, limit)),
    deleteTombstones: (forgotten) => {
      const ids = new Set(forgotten.map(({ id }) => id));
      dropped = dropped.filter(({ id }) => !ids.has(id));
      return Promise.resolve();
    },
  };
}

const BLANK: MemoryNode = {
  id: '',
  kind: 'semantic',
  userId: 'ann',
  sessionId: null,
  timestamp: 1_700_000_000_000,
  storedAt: 1_700_000_000_000,
  text: '',
  labels: [],
  weight: 0.5,
  body: {},
  revision: 1,
  readCount: 0,
  readAt: null,
};

function meets({ timestamp, labels, weight }: MemoryNode, filters: MemoryFilters): boolean {
  if (filters.from !== undefined && timestamp < filters.from) return false;
  if (filters.to !== undefined && timestamp > filters.to) return false;
  if (filters.anyLabel !== undefined && !labels.some((label) => filters.anyLabel?.includes(label)))
    return false;
  return weight >= (filters.minWeight ?? 0) && weight <= (filters.maxWeight ?? 1);
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
