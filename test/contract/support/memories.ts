import { ulid } from 'ulid';
import type { MemoryGraph } from '../../../src/stores/memory/memory-graph';
import type {
  InsertMemory,
  MemoryKind,
  MemoryNode,
  NewMemoryNode,
  SpaceVector,
} from '../../../src/stores/memory/node';
import type { MemoryScope } from '../../../src/stores/memory/search';

export const TIME = 1_700_000_000_000;
export const DIMENSIONS = 8;
export const MODEL = 'test/eight';

export type NodeFields = Partial<NewMemoryNode>;

/** An episodic memory of user `ann` in session `s`. */
export function episodic(fields: NodeFields = {}): NewMemoryNode {
  return {
    id: ulid(),
    kind: 'episodic',
    userId: 'ann',
    sessionId: 's',
    timestamp: TIME,
    storedAt: fields.timestamp ?? TIME,
    text: 'a walk in the park',
    labels: [],
    weight: 0.5,
    body: {},
    ...fields,
  };
}

/** A semantic memory of user `ann`. */
export function semantic(fields: NodeFields = {}): NewMemoryNode {
  return { ...episodic(fields), kind: 'semantic', sessionId: null, labels: ['nature'], ...fields };
}

export async function add(
  graph: MemoryGraph,
  node: NewMemoryNode,
  rest: Partial<Omit<InsertMemory, 'node'>> = {},
): Promise<MemoryNode> {
  return graph.insert({ node, vector: null, ...rest });
}

export async function addAll(graph: MemoryGraph, nodes: readonly NewMemoryNode[]): Promise<string[]> {
  for (const node of nodes) await add(graph, node);
  return nodes.map(({ id }) => id);
}

/** A vector of unit length in the plane of the first two axes; the cosine of two is that of the angle between. */
export function atAngle(degrees: number): Float32Array {
  const values = new Float32Array(DIMENSIONS);
  values[0] = Math.cos((degrees * Math.PI) / 180);
  values[1] = Math.sin((degrees * Math.PI) / 180);
  return values;
}

export function cosineOf(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}

/** Pins the test space and returns a function that writes a vector into it. */
export async function pinSpace(graph: MemoryGraph): Promise<(degrees: number) => SpaceVector> {
  const { id } = await graph.pinVectorSpace(MODEL, DIMENSIONS);
  return (degrees) => ({ spaceId: id, values: atAngle(degrees) });
}

export function scopeOf(kind: MemoryKind, rest: Partial<MemoryScope> = {}): MemoryScope {
  return { userId: 'ann', kind, ...rest };
}

/** Ids of a session from its first memory to its last, read by following each `next`; also checks the way back. */
export async function chain(graph: MemoryGraph, someId: string): Promise<string[]> {
  const neighbour = async (id: string, which: 'previous' | 'next'): Promise<string | undefined> => {
    const found = (await graph.related(id)).filter(({ relationship }) => relationship === which);
    expect(found.length).toBeLessThanOrEqual(1);
    return found[0]?.id;
  };
  let first = someId;
  for (let id = await neighbour(first, 'previous'); id !== undefined; id = await neighbour(id, 'previous')) {
    first = id;
  }
  const ids = [first];
  for (let id = await neighbour(first, 'next'); id !== undefined; id = await neighbour(id, 'next')) {
    expect(await neighbour(id, 'previous')).toBe(ids.at(-1));
    expect(ids).not.toContain(id);
    ids.push(id);
  }
  return ids;
}

export function refused(field: string): object {
  return { code: 'VALIDATION', details: { field: `relationships.${field}`, message: expect.any(String) } };
}
