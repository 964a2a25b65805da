import type { MemoryNode, SpaceVector } from '../../memory/node';
import type { VectorTombstone, PendingVector, VisibleVector } from '../../memory/vector-outbox';
import type { VectorUpdate } from '../../memory/vector-spaces';
import type { Row, Statements } from '../connection';
import { keyFromText, keyToText } from '../key-text';
import { KIND_LABELS, MEMORY_COLUMNS, findMemories, lockMemories, toNodes } from './rows';
import { vectorProperties } from './spaces';

/** Microseconds of the server's clock, since 1970. */
const NOW = 'datetime.realtime().epochSeconds * 1000000 + datetime.realtime().microsecond';

const PUT = ({
  values,
  has,
  since,
}: ReturnType<typeof vectorProperties>): string => `UNWIND $updates AS update
  MATCH (memory:HoldfastMemory {id: update.id})
  CALL db.create.setNodeVectorProperty(memory, '${values}', update.values)
  SET memory.${has} = true
  SET memory.${since} = CASE WHEN memory:${KIND_LABELS.semantic} THEN ${NOW} END`;

const ADD_TOMBSTONE = `MERGE (dropped:HoldfastDroppedVector {memory: $id, space: $spaceId})
  ON CREATE SET dropped.user = $user, dropped.since = ${NOW}`;
const LIST_TOMBSTONES = `MATCH (dropped:HoldfastDroppedVector) WHERE dropped.since IS NOT NULL
  RETURN dropped.memory AS id, dropped.user AS user, dropped.space AS space
  ORDER BY dropped.since, id LIMIT toInteger($limit)`;
const DELETE_TOMBSTONES = `UNWIND $tombstones AS one
  MATCH (dropped:HoldfastDroppedVector {memory: one.id, space: one.spaceId}) DELETE dropped`;
const DELETE_TOMBSTONES_OF = 'MATCH (dropped:HoldfastDroppedVector {user: $user}) DELETE dropped';

/** The fields of `VectorUpdate` that `putVectors` needs. */
export type VectorPut = Pick<VectorUpdate, 'id' | 'vector'>;

/** Stores vectors and replaces those that the memories may already have in the same spaces. */
export async function putVectors(statements: Statements, puts: readonly VectorPut[]): Promise<void> {
  const spaces = new Set(puts.map(({ vector }) => vector.spaceId));
  for (const spaceId of spaces) {
    const updates = puts
      .filter(({ vector }) => vector.spaceId === spaceId)
      .map(({ id, vector }) => ({ id, values: [...vector.values] }));
    await statements.run(PUT(vectorProperties(spaceId)), { updates });
  }
}

/** Removes a memory's vectors of these spaces, also the marks that it had them. */
export async function removeVectors(
  statements: Statements,
  id: string,
  spaceIds: readonly number[],
): Promise<void> {
  if (spaceIds.length === 0) return;
  await statements.run(`MATCH (memory:HoldfastMemory {id: $id}) ${removal(spaceIds)}`, { id });
}

/**
 * Removes the vectors of these spaces from up to `limit` memories that come after the id `after`, in the order of ids.
 * @returns the last of these ids; undefined if there are no more memories
 */
export async function removeFromSome(
  statements: Statements,
  spaceIds: readonly number[],
  after: string,
  limit: number,
): Promise<string | undefined> {
  const [row] = await statements.run(
    `MATCH (memory:HoldfastMemory) WHERE memory.id > $after
     WITH memory ORDER BY memory.id LIMIT toInteger($limit) ${removal(spaceIds)}
     RETURN max(memory.id) AS last`,
    { after, limit },
  );
  return (row?.['last'] as string | null) ?? undefined;
}

/** Adds a tombstone for each vector of the memory in these spaces. The caller calls this before it deletes the memory. */
export async function addTombstones(
  statements: Statements,
  { id, userId, kind }: MemoryNode,
  spaceIds: readonly number[],
): Promise<void> {
  if (kind !== 'semantic') return;
  const addTombstone = (spaceId: number): Promise<unknown> => {
    const ifPresent = `MATCH (memory:HoldfastMemory {id: $id}) WHERE memory.${vectorProperties(spaceId).has} `;
    return statements.run(ifPresent + ADD_TOMBSTONE, { id, spaceId, user: keyToText(userId) });
  };
  await Promise.all(spaceIds.map(addTombstone));
}

/**
 * Lists the pending vectors of these spaces, those that wait longest first. The memories are locked before they are read, so
 * that each vector belongs to the revision returned with it.
 */
export async function listPending(
  statements: Statements,
  spaceIds: readonly number[],
  limit: number,
): Promise<PendingVector[]> {
  const places = await Promise.all(spaceIds.map((spaceId) => findPending(statements, spaceId, limit)));
  const first = places
    .flat()
    .sort((x, y) => x.since - y.since || (x.id < y.id ? -1 : 1))
    .slice(0, limit);
  const ids = first.map(({ id }) => id);
  const [, ...rows] = await Promise.all([
    lockMemories(statements, ids),
    ...spaceIds.map((spaceId) => readPending(statements, spaceId, ids)),
  ]);
  const pending = rows.flat();
  return first.flatMap(({ id, spaceId }) =>
    pending.filter(({ node, vector }) => node.id === id && vector.spaceId === spaceId),
  );
}

/** @returns the number of vectors that were released */
export async function releaseVectors(
  statements: Statements,
  visible: readonly VisibleVector[],
): Promise<number> {
  const ids = visible.map(({ id }) => id);
  const [, nodes] = await Promise.all([lockMemories(statements, ids), findMemories(statements, ids)]);
  const revisions = new Map(nodes.map(({ id, revision }) => [id, revision]));
  const due = visible.filter(({ id, revision }) => revisions.get(id) === revision);
  let released = 0;
  for (const spaceId of new Set(due.map((one) => one.spaceId))) {
    const { values, since } = vectorProperties(spaceId);
    const [row] = await statements.run(
      `MATCH (memory:${KIND_LABELS.semantic}) WHERE memory.id IN $ids AND memory.${values} IS NOT NULL
       REMOVE memory.${values}, memory.${since}
       RETURN count(*) AS released`,
      { ids: due.filter((one) => one.spaceId === spaceId).map(({ id }) => id) },
    );
    released += Number(row?.['released']);
  }
  return released;
}

export async function listTombstones(statements: Statements, limit: number): Promise<VectorTombstone[]> {
  return (await statements.run(LIST_TOMBSTONES, { limit })).map(({ id, user, space }) => ({
    id: id as string,
    userId: keyFromText(user as string),
    spaceId: space as number,
  }));
}

export async function deleteTombstones(
  statements: Statements,
  tombstones: readonly VectorTombstone[],
): Promise<void> {
  await statements.run(DELETE_TOMBSTONES, { tombstones });
}

export async function deleteTombstonesOf(statements: Statements, userId: string): Promise<void> {
  await statements.run(DELETE_TOMBSTONES_OF, { user: keyToText(userId) });
}

/** Lists memories of any user and kind that have no vector in the space and come after the id `after`, in the order of ids. */
export async function listWithoutVector(
  statements: Statements,
  spaceId: number,
  after: string,
  limit: number,
): Promise<MemoryNode[]> {
  const rows = await statements.run(
    `MATCH (memory:HoldfastMemory) WHERE memory.id > $after AND memory.${vectorProperties(spaceId).has} IS NULL
     RETURN ${MEMORY_COLUMNS} ORDER BY memory.id LIMIT toInteger($limit)`,
    { after, limit },
  );
  return rows.flatMap(toNodes);
}

interface PendingPlace {
  readonly id: string;
  readonly spaceId: number;
  readonly since: number;
}

async function findPending(statements: Statements, spaceId: number, limit: number): Promise<PendingPlace[]> {
  const { since } = vectorProperties(spaceId);
  const rows = await statements.run(
    `MATCH (memory:${KIND_LABELS.semantic}) WHERE memory.${since} IS NOT NULL
     RETURN memory.id AS id, memory.${since} AS since ORDER BY since, id LIMIT toInteger($limit)`,
    { limit },
  );
  return rows.map((row) => ({ id: row['id'] as string, spaceId, since: row['since'] as number }));
}

async function readPending(
  statements: Statements,
  spaceId: number,
  ids: readonly string[],
): Promise<PendingVector[]> {
  const { values } = vectorProperties(spaceId);
  const rows = await statements.run(
    `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids AND memory.${values} IS NOT NULL
     RETURN ${MEMORY_COLUMNS}, memory.${values} AS values`,
    { ids },
  );
  const toVector = (row: Row): SpaceVector => ({
    spaceId,
    values: Float32Array.from(row['values'] as number[]),
  });
  return rows.flatMap((row) => toNodes(row).map((node) => ({ node, vector: toVector(row) })));
}

/** Returns the Cypher clause that removes all properties of vectors in these spaces. */
function removal(spaceIds: readonly number[]): string {
  const names = spaceIds.flatMap((spaceId) => Object.values<string>({ ...vectorProperties(spaceId) }));
  return `REMOVE ${names.map((name) => `memory.${name}`).join(', ')}`;
}
