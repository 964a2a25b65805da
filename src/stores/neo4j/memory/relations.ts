import { relationField, relationshipRefused } from '../../memory/errors';
import type { Neighbours } from '../../memory/memory-graph';
import {
  ALL_TIES,
  type NewMemoryNode,
  type NewRelation,
  type RelatedMemory,
  type Relationship,
  type TiedAs,
} from '../../memory/node';
import { compareRelated } from '../../memory/related-order';
import type { Row, Statements } from '../connection';
import { keyToText } from '../key-text';
import { KIND_LABELS } from './rows';

/** The ends of a relationship in the graph. Relations that have no direction are stored once. */
type Pair = readonly [from: string, to: string];

const ENDS = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids
  RETURN memory.id AS id, memory.user AS user, memory:${KIND_LABELS.semantic} AS isSemantic`;
/** Of a parent the other end is a child. */
const UNTIE = `MATCH (memory:HoldfastMemory {id: $id})-[tie:RELATED|SIMILAR|PARENT]-(other)
  WITH tie, CASE WHEN type(tie) = 'PARENT' AND endNode(tie) = memory THEN 'child' ELSE toLower(type(tie)) END AS tiedAs
  WHERE tiedAs IN $replaced
  DELETE tie`;
const TIE = (type: 'RELATED' | 'SIMILAR'): string => `UNWIND $pairs AS pair
  MATCH (one:HoldfastMemory {id: pair[0]}), (other:HoldfastMemory {id: pair[1]})
  MERGE (one)-[:${type}]->(other)`;
const TIE_RELATED = TIE('RELATED');
const TIE_SIMILAR = TIE('SIMILAR');
const LEAVE_PARENTS = `UNWIND $pairs AS pair
  MATCH (:HoldfastMemory {id: pair[0]})-[tie:PARENT]->() DELETE tie`;
const TIE_PARENTS = `UNWIND $pairs AS pair
  MATCH (child:HoldfastMemory {id: pair[0]}), (parent:HoldfastMemory {id: pair[1]})
  CREATE (child)-[:PARENT]->(parent)`;
/** Each memory has at most one parent, so there is only one path upwards. */
const IS_OWN_ANCESTOR = `MATCH (memory:HoldfastMemory {id: $id})
  RETURN EXISTS { (memory)-[:PARENT*]->(memory) } AS isOwnAncestor`;
const COUNT = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids
  MATCH (memory)-[tie:RELATED|SIMILAR|PARENT]-()
  RETURN count(DISTINCT tie) AS count`;
const RELATED = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids
  MATCH (memory)-[tie:NEXT|RELATED|SIMILAR|PARENT]-(other:HoldfastMemory)
  RETURN memory.id AS of, other.id AS id, type(tie) AS type, startNode(tie) = memory AS isOut`;

const NEIGHBOURS = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids
  OPTIONAL MATCH (previous:HoldfastMemory)-[:NEXT]->(memory)
  OPTIONAL MATCH (memory)-[:NEXT]->(next:HoldfastMemory)
  RETURN memory.id AS id, previous.id AS previous, next.id AS next`;

/**
 * Replaces relations of a memory. The caller holds the lock of the user.
 * @param replaced those that it replaces; the others stay
 * @throws HoldfastError `VALIDATION` as `MemoryGraph.insert`
 */
export async function replaceRelations(
  statements: Statements,
  from: NewMemoryNode,
  relations: readonly NewRelation[],
  replaced: readonly TiedAs[] = ALL_TIES,
): Promise<void> {
  const ends = await statements.run(ENDS, { ids: relations.map(({ id }) => id) });
  for (const relation of relations) checkRelation(from, relation, ends);
  const parents = relations.filter(({ type, direction }) => type === 'parent' && direction === 'out');
  if (new Set(parents.map(({ id }) => id)).size > 1) {
    throw relationshipRefused('parent', 'names more than one memory');
  }
  const pairs = (wanted: NewRelation['type']): Pair[] =>
    distinct(relations.filter(({ type }) => type === wanted).map((relation) => toPair(from.id, relation)));
  const family = pairs('parent');
  await Promise.all([
    statements.run(UNTIE, { id: from.id, replaced }),
    statements.run(TIE_RELATED, { pairs: pairs('related') }),
    statements.run(TIE_SIMILAR, { pairs: pairs('similar') }),
    statements.run(LEAVE_PARENTS, { pairs: family }),
    statements.run(TIE_PARENTS, { pairs: family }),
  ]);
  if (family.length === 0) return;
  // A new circle contains this memory, because it needs both a new parent and a new child.
  const [row] = await statements.run(IS_OWN_ANCESTOR, { id: from.id });
  if (row?.['isOwnAncestor'] === true) {
    throw relationshipRefused('parent', 'would make parents go in a circle');
  }
}

export async function countRelations(statements: Statements, ids: readonly string[]): Promise<number> {
  const [row] = await statements.run(COUNT, { ids });
  return Number(row?.['count']);
}

/**
 * Reads the related memories of several memories, including their neighbours in the session, in the order that the port
 * prescribes. The result has no entry for a memory without any.
 */
export async function relatedOfMany(
  statements: Statements,
  ids: readonly string[],
): Promise<Map<string, RelatedMemory[]>> {
  const relatedById = new Map<string, RelatedMemory[]>();
  for (const row of await statements.run(RELATED, { ids })) {
    const of = row['of'] as string;
    const related = relatedById.get(of);
    if (related === undefined) relatedById.set(of, [toRelated(row)]);
    else related.push(toRelated(row));
  }
  for (const related of relatedById.values()) related.sort(compareRelated);
  return relatedById;
}

/** Reads the neighbours of memories in their sessions. The result has no entry for a memory without any. */
export async function neighboursOf(
  statements: Statements,
  ids: readonly string[],
): Promise<Map<string, Neighbours>> {
  const neighboursById = new Map<string, Neighbours>();
  for (const { id, previous, next } of await statements.run(NEIGHBOURS, { ids })) {
    const neighbours = {
      ...(typeof previous === 'string' ? { previous } : {}),
      ...(typeof next === 'string' ? { next } : {}),
    };
    if (Object.keys(neighbours).length > 0) neighboursById.set(id as string, neighbours);
  }
  return neighboursById;
}

function checkRelation(
  from: NewMemoryNode,
  { type, direction, id }: NewRelation,
  ends: readonly Row[],
): void {
  const field = relationField(type, direction);
  const to = ends.find((end) => end['id'] === id);
  if (to?.['user'] !== keyToText(from.userId))
    throw relationshipRefused(field, 'names no memory of this user');
  if (id === from.id) throw relationshipRefused(field, 'names the memory itself');
  if (type !== 'related' && (from.kind !== 'semantic' || to['isSemantic'] !== true)) {
    throw relationshipRefused(field, 'is for semantic memories');
  }
}

/** Puts a child before its parent, and the ends of a relation without a direction in the order of ids. */
function toPair(from: string, { type, direction, id }: NewRelation): Pair {
  if (type === 'parent') return direction === 'out' ? [from, id] : [id, from];
  return from < id ? [from, id] : [id, from];
}

function distinct(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()];
}

function toRelated({ id, type, isOut }: Row): RelatedMemory {
  return { id: id as string, relationship: relationshipOf(type as string, isOut === true) };
}

function relationshipOf(type: string, isOut: boolean): Relationship {
  if (type === 'NEXT') return isOut ? 'next' : 'previous';
  if (type === 'PARENT') return isOut ? 'parent' : 'child';
  return type === 'SIMILAR' ? 'similar' : 'related';
}
