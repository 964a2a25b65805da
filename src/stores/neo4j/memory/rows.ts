import { parseJson } from '../../../base/json/parse';
import type { MemoryChange, MemoryKind, MemoryNode, NewMemoryNode } from '../../memory/node';
import type { Row, Statements } from '../connection';
import { keyToText } from '../key-text';
import { scopeTerm, termsOf } from './terms';

/** The label of the memories of a kind. All of them have the label `HoldfastMemory` too. */
export const KIND_LABELS: Readonly<Record<MemoryKind, string>> = {
  episodic: 'HoldfastEpisodicMemory',
  semantic: 'HoldfastSemanticMemory',
};

/**
 * The condition that `memory`, with the label of a kind, belongs to the user. It mentions all properties of the index, because
 * Neo4j uses an index of several properties only if the query has a condition on each of them.
 */
export const IS_OF_USER = 'memory.user = $user AND memory.timestamp IS NOT NULL AND memory.id IS NOT NULL';

/** The columns that queries for memories return, and `toNodes` reads. */
export const MEMORY_COLUMNS = 'memory.state AS state, memory.reads AS reads';

/**
 * The content of the property `state`, as JSON: all of a memory except the counts of its reads. It is in one property, so that
 * no reader gets one revision with the text of another. The other properties are for searching, filtering and ordering.
 */
type MemoryState = Omit<MemoryNode, 'readCount' | 'readAt'>;
/** What earlier builds stored has no time of storing, which was that of the memory. */
type StoredState = Omit<MemoryState, 'storedAt'> & Partial<Pick<MemoryState, 'storedAt'>>;

const CREATE: Readonly<Record<MemoryKind, string>> = {
  episodic: `CREATE (memory:HoldfastMemory:${KIND_LABELS.episodic} {id: $id}) SET memory += $properties`,
  semantic: `CREATE (memory:HoldfastMemory:${KIND_LABELS.semantic} {id: $id}) SET memory += $properties`,
};
const SAVE = 'MATCH (memory:HoldfastMemory {id: $id}) SET memory += $properties';
const FIND = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids RETURN ${MEMORY_COLUMNS}`;

/** Every transaction takes its locks in the order of ids, to avoid deadlocks. */
const LOCK = `UNWIND $ids AS id MATCH (memory:HoldfastMemory {id: id}) SET memory.lock = true`;
const NOTE_READS = `UNWIND $notes AS note
  MATCH (memory:HoldfastMemory {id: note.id})
  SET memory.reads = [coalesce(memory.reads[0], 0) + note.count,
    CASE WHEN memory.reads[1] > note.at THEN memory.reads[1] ELSE note.at END]`;

/** Returns the memory of a row, or nothing for a node that a transaction is creating or deleting. */
export function toNodes({ state, reads }: Row): MemoryNode[] {
  if (state === null) return [];
  const [readCount, readAt] = (reads ?? [0, null]) as [number, number | null];
  const stored = parseJson(state as string) as StoredState;
  return [{ ...stored, storedAt: stored.storedAt ?? stored.timestamp, readCount, readAt }];
}

export async function findMemories(statements: Statements, ids: readonly string[]): Promise<MemoryNode[]> {
  return (await statements.run(FIND, { ids })).flatMap(toNodes);
}

export async function createMemory(statements: Statements, node: NewMemoryNode): Promise<MemoryNode> {
  const created = toState(node, 1);
  await statements.run(CREATE[node.kind], { id: node.id, properties: buildProperties(created) });
  return { ...created, readCount: 0, readAt: null };
}

/**
 * Saves the changed fields of a memory; the caller saves `placement`, `relations` and `vector`.
 * @returns the memory after the change
 */
export async function saveChange(
  statements: Statements,
  node: MemoryNode,
  { text, labels, weight, body }: MemoryChange,
): Promise<MemoryNode> {
  const { readCount, readAt } = node;
  const changed = toState(
    {
      ...node,
      text: text ?? node.text,
      labels: labels ?? node.labels,
      weight: weight ?? node.weight,
      body: body ?? node.body,
    },
    node.revision + 1,
  );
  await statements.run(SAVE, { id: node.id, properties: buildProperties(changed) });
  return { ...changed, readCount, readAt };
}

/** Locks memories: no other transaction changes them until this one ends. */
export async function lockMemories(statements: Statements, ids: readonly string[]): Promise<void> {
  await statements.run(LOCK, { ids: [...new Set(ids)].sort() });
}

interface Note {
  readonly id: string;
  readonly count: number;
  readonly at: number;
}

export async function noteReads(statements: Statements, notes: readonly Note[]): Promise<void> {
  const ids = notes.map(({ id }) => id);
  // The lock is a separate statement, so that the counts are read after no other transaction can change them.
  await Promise.all([lockMemories(statements, ids), statements.run(NOTE_READS, { notes })]);
}

function buildProperties(state: MemoryState): Record<string, unknown> {
  const { userId, sessionId, timestamp, text, labels, weight } = state;
  return {
    user: keyToText(userId),
    session: sessionId === null ? null : keyToText(sessionId),
    timestamp,
    labels: labels.map(keyToText),
    weight,
    scope: scopeTerm(userId),
    terms: termsOf(text),
    state: JSON.stringify(state),
  };
}

/** Copies only the fields of a memory, because the object of a caller may have others. */
function toState(node: NewMemoryNode, revision: number): MemoryState {
  const { id, kind, userId, sessionId, timestamp, storedAt, text, labels, weight, body } = node;
  return { id, kind, userId, sessionId, timestamp, storedAt, text, labels, weight, body, revision };
}
