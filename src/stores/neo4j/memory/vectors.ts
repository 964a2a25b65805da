import type { MemoryNode, SpaceVector } from '../../memory/node';
import type { DroppedVector, HeldVector, ShownVector } from '../../memory/vector-outbox';
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

const NOTE_DROPPED = `MERGE (dropped:HoldfastDroppedVector {memory: $id, space: $spaceId})
  ON CREATE SET dropped.user = $user, dropped.since = ${NOW}`;
const LIST_DROPPED = `MATCH (dropped:HoldfastDroppedVector) WHERE dropped.since IS NOT NULL
  RETURN dropped.memory AS id, dropped.user AS user, dropped.space AS space
  ORDER BY dropped.since, id LIMIT toInteger($limit)`;
const FORGET_DROPPED = `UNWIND $dropped AS one
  MATCH (dropped:HoldfastDroppedVector {memory: one.id, space: one.spaceId}) DELETE dropped`;
const FORGET_DROPPED_OF = 'MATCH (dropped:HoldfastDroppedVector {user: $user}) DELETE dropped';

/** What an update of vectors needs of `VectorUpdate`. */
export type VectorPut = Pick<VectorUpdate, 'id' | 'vector'>;

/** In the place of those that the memories may have in these spaces. */
export async function putVectors(statements: Statements, puts: readonly VectorPut[]): Promise<void> {
  const spaces = new Set(puts.map(({ vector }) => vector.spaceId));
  for (const spaceId of spaces) {
    const updates = puts
      .filter(({ vector }) => vector.spaceId === spaceId)
      .map(({ id, vector }) => ({ id, values: [...vector.values] }));
    await statements.run(PUT(vectorProperties(spaceId)), { updates });
  }
}

/** With no trace that the memory had them. */
export async function removeVectors(
  statements: Statements,
  id: string,
  spaceIds: readonly number[],
): Promise<void> {
  if (spaceIds.length === 0) return;
  await statements.run(`MATCH (memory:HoldfastMemory {id: $id}) ${removal(spaceIds)}`, { id });
}

/** Of memories behind `after`, in the order of ids. Returns the last id of them; undefined: there are no more. */
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

/** To be called before the memory is taken away. */
export async function noteDropped(
  statements: Statements,
  { id, userId, kind }: MemoryNode,
  spaceIds: readonly number[],
): Promise<void> {
  if (kind !== 'semantic') return;
  const note = (spaceId: number): Promise<unknown> => {
    const ifThere = `MATCH (memory:HoldfastMemory {id: $id}) WHERE memory.${vectorProperties(spaceId).has} `;
    return statements.run(ifThere + NOTE_DROPPED, { id, spaceId, user: keyToText(userId) });
  };
  await Promise.all(spaceIds.map(note));
}

/**
 * The longest held first, of these spaces. The memories are locked before they are read, so that each vector is that
 * of the revision beside it.
 */
export async function listHeld(
  statements: Statements,
  spaceIds: readonly number[],
  limit: number,
): Promise<HeldVector[]> {
  const places = await Promise.all(spaceIds.map((spaceId) => findHeld(statements, spaceId, limit)));
  const first = places
    .flat()
    .sort((x, y) => x.since - y.since || (x.id < y.id ? -1 : 1))
    .slice(0, limit);
  const ids = first.map(({ id }) => id);
  const [, ...rows] = await Promise.all([
    lockMemories(statements, ids),
    ...spaceIds.map((spaceId) => readHeld(statements, spaceId, ids)),
  ]);
  const held = rows.flat();
  return first.flatMap(({ id, spaceId }) =>
    held.filter(({ node, vector }) => node.id === id && vector.spaceId === spaceId),
  );
}

/** Returns how many there were of what is to be let go. */
export async function releaseVectors(statements: Statements, shown: readonly ShownVector[]): Promise<number> {
  const ids = shown.map(({ id }) => id);
  const [, nodes] = await Promise.all([lockMemories(statements, ids), findMemories(statements, ids)]);
  const revisions = new Map(nodes.map(({ id, revision }) => [id, revision]));
  const due = shown.filter(({ id, revision }) => revisions.get(id) === revision);
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

export async function listDropped(statements: Statements, limit: number): Promise<DroppedVector[]> {
  return (await statements.run(LIST_DROPPED, { limit })).map(({ id, user, space }) => ({
    id: id as string,
    userId: keyFromText(user as string),
    spaceId: space as number,
  }));
}

export async function forgetDropped(
  statements: Statements,
  dropped: readonly DroppedVector[],
): Promise<void> {
  await statements.run(FORGET_DROPPED, { dropped });
}

export async function forgetDroppedOf(statements: Statements, userId: string): Promise<void> {
  await statements.run(FORGET_DROPPED_OF, { user: keyToText(userId) });
}

/** Memories of any user and kind without a vector in the space, by id, behind `after`. */
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

interface HeldPlace {
  readonly id: string;
  readonly spaceId: number;
  readonly since: number;
}

async function findHeld(statements: Statements, spaceId: number, limit: number): Promise<HeldPlace[]> {
  const { since } = vectorProperties(spaceId);
  const rows = await statements.run(
    `MATCH (memory:${KIND_LABELS.semantic}) WHERE memory.${since} IS NOT NULL
     RETURN memory.id AS id, memory.${since} AS since ORDER BY since, id LIMIT toInteger($limit)`,
    { limit },
  );
  return rows.map((row) => ({ id: row['id'] as string, spaceId, since: row['since'] as number }));
}

async function readHeld(
  statements: Statements,
  spaceId: number,
  ids: readonly string[],
): Promise<HeldVector[]> {
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

function removal(spaceIds: readonly number[]): string {
  const names = spaceIds.flatMap((spaceId) => Object.values<string>({ ...vectorProperties(spaceId) }));
  return `REMOVE ${names.map((name) => `memory.${name}`).join(', ')}`;
}
