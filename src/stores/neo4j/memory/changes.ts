import { idTaken, memoryQuota } from '../../memory/errors';
import type { ChangeOptions, ErasedCounts, InsertOptions } from '../../memory/memory-graph';
import {
  type InsertMemory,
  MEMORY_KINDS,
  type MemoryChange,
  type MemoryKind,
  type MemoryNode,
} from '../../memory/node';
import type { VectorUpdate } from '../../memory/vector-spaces';
import type { Outcome, Statements } from '../connection';
import { keyToText } from '../key-text';
import { countRelations, replaceRelations } from './relations';
import { IS_OF_USER, KIND_LABELS, createMemory, findMemories, saveChange } from './rows';
import { placeMemory, takeOutOfSession } from './sessions';
import { lockSpaces, readSpaces, requireSpace, spacesInUse } from './spaces';
import { addTombstones, putVectors, removeVectors } from './vectors';
import { countMemories, lockUser, lockUsersOf, requireNotErasing } from './users';

const DELETE = 'MATCH (memory:HoldfastMemory {id: $id}) DETACH DELETE memory';
const FIND_SOME = (kind: MemoryKind): string =>
  `MATCH (memory:${KIND_LABELS[kind]}) WHERE ${IS_OF_USER} RETURN memory.id AS id LIMIT toInteger($limit)`;

const unchanged = <T>(value: T): Outcome<T> => ({ commit: false, value });
const changed = <T>(value: T): Outcome<T> => ({ commit: true, value });

/** @throws HoldfastError as `MemoryGraph.insert` */
export async function insertMemory(
  statements: Statements,
  { node, vector, placement, relations }: InsertMemory,
  { quota }: InsertOptions,
): Promise<Outcome<MemoryNode>> {
  const { id, kind, userId } = node;
  const [user, [stored], storedSpaces] = await Promise.all([
    lockUser(statements, userId),
    findMemories(statements, [id]),
    readSpaces(statements),
  ]);
  requireNotErasing(user);
  if (stored !== undefined) {
    if (stored.userId !== userId || stored.kind !== kind) throw idTaken();
    return unchanged(stored);
  }
  if (quota !== undefined && user[kind] >= quota) throw memoryQuota(kind, quota);
  // A transaction that changes the spaces locks all users first, but it cannot lock a user who does not exist yet.
  const isNew = user.episodic + user.semantic === 0;
  const spaces = isNew ? await lockSpaces(statements) : storedSpaces;
  if (vector !== null) requireSpace(spaces, vector.spaceId, ['current'], vector.values.length);
  const isPlaced = node.sessionId !== null || placement !== undefined;
  const [memory] = await Promise.all([
    createMemory(statements, node),
    countMemories(statements, userId, counts(kind, 1)),
    vector && putVectors(statements, [{ id, vector }]),
    isPlaced && placeMemory(statements, node, placement ?? {}),
    relations && replaceRelations(statements, node, relations),
  ]);
  return changed(memory);
}

/** @throws HoldfastError as `MemoryGraph.update` */
export async function updateMemory(
  statements: Statements,
  id: string,
  change: MemoryChange,
  { ifRevision, vectorsElsewhere }: ChangeOptions & { readonly vectorsElsewhere: boolean },
): Promise<Outcome<MemoryNode | undefined>> {
  const [node, spaces] = await Promise.all([lockAndFind(statements, id), readSpaces(statements)]);
  if (node === undefined) return unchanged(undefined);
  if (ifRevision !== undefined && ifRevision !== node.revision) return unchanged(undefined);
  const { vector, placement, relations, replacedRelations } = change;
  if (vector) requireSpace(spaces, vector.spaceId, ['current'], vector.values.length);
  const spacesOfOldText = change.text !== undefined && change.text !== node.text ? spacesInUse(spaces) : [];
  // The outside index has the memory's earlier fields with the vector, so the reindexing run has to embed the memory again.
  const outdated =
    vectorsElsewhere && node.kind === 'semantic' && spaces.next !== null ? [spaces.next.id] : [];
  const removed = vector === null && spaces.current !== null ? [spaces.current.id] : [];
  const [saved] = await Promise.all([
    saveChange(statements, node, change),
    removeVectors(statements, id, [...new Set([...spacesOfOldText, ...outdated, ...removed])]),
    vector && putVectors(statements, [{ id, vector }]),
    placement && takeOutOfSession(statements, id),
    placement && placeMemory(statements, node, placement),
    relations && replaceRelations(statements, node, relations, replacedRelations),
  ]);
  return changed(saved);
}

/** @throws HoldfastError `MEMORY_ERASING` */
export async function deleteMemory(
  statements: Statements,
  id: string,
  { ifRevision, vectorsElsewhere }: ChangeOptions & { readonly vectorsElsewhere: boolean },
): Promise<Outcome<MemoryNode | undefined>> {
  const [node, spaces] = await Promise.all([lockAndFind(statements, id), readSpaces(statements)]);
  if (node === undefined) return unchanged(undefined);
  if (ifRevision !== undefined && ifRevision !== node.revision) return unchanged(undefined);
  await Promise.all([
    vectorsElsewhere && addTombstones(statements, node, spacesInUse(spaces)),
    deleteMemories(statements, [id]),
    countMemories(statements, node.userId, counts(node.kind, -1)),
  ]);
  return changed(node);
}

/** Deletes up to `limit` memories of the user. */
export async function eraseSome(
  statements: Statements,
  userId: string,
  limit: number,
): Promise<Outcome<ErasedCounts>> {
  const user = keyToText(userId);
  const [, ...rows] = await Promise.all([
    lockUser(statements, userId),
    ...MEMORY_KINDS.map((kind) => statements.run(FIND_SOME(kind), { user, limit })),
  ]);
  const ids = rows
    .flat()
    .slice(0, limit)
    .map(({ id }) => id as string);
  if (ids.length === 0) return unchanged({ episodic: 0, semantic: 0, relations: 0 });
  const [relations, nodes] = await Promise.all([
    countRelations(statements, ids),
    findMemories(statements, ids),
    deleteMemories(statements, ids),
  ]);
  const episodic = nodes.filter(({ kind }) => kind === 'episodic').length;
  const semantic = nodes.length - episodic;
  await countMemories(statements, userId, { episodic: -episodic, semantic: -semantic });
  return changed({ episodic, semantic, relations });
}

/**
 * Stores the vectors of those memories that still have the revision of the update.
 * @throws HoldfastError `VECTOR_SPACE_CHANGED`
 */
export async function putUpdates(
  statements: Statements,
  updates: readonly VectorUpdate[],
): Promise<Outcome<number>> {
  const ids = updates.map(({ id }) => id);
  const [, spaces, nodes] = await Promise.all([
    lockUsersOf(statements, ids),
    readSpaces(statements),
    findMemories(statements, ids),
  ]);
  for (const { vector } of updates) {
    requireSpace(spaces, vector.spaceId, ['current', 'next'], vector.values.length);
  }
  const revisions = new Map(nodes.map(({ id, revision }) => [id, revision]));
  const due = updates.filter(({ id, revision }) => revisions.get(id) === revision);
  await putVectors(statements, due);
  return changed(due.length);
}

/** Locks a memory until the transaction ends, and returns it. */
async function lockAndFind(statements: Statements, id: string): Promise<MemoryNode | undefined> {
  const [[user], [node]] = await Promise.all([lockUsersOf(statements, [id]), findMemories(statements, [id])]);
  if (user === undefined || node?.userId !== user.name) return undefined;
  requireNotErasing(user);
  return node;
}

/** Deletes memories one after another, because each closes the gap between the neighbours that it has at that moment. */
async function deleteMemories(statements: Statements, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.flatMap((id) => [takeOutOfSession(statements, id), statements.run(DELETE, { id })]));
}

function counts(kind: MemoryKind, difference: 1 | -1): Record<MemoryKind, number> {
  return { episodic: 0, semantic: 0, [kind]: difference };
}
