import type { MemoryChange, MemoryKind, MemoryNode, NewMemoryNode } from '../../memory/node';
import type { Row, Statements } from '../connection';
import { keyToText } from '../key-text';
import { scopeTerm, termsOf } from './terms';

/** The label of the memories of a kind; `HoldfastMemory` is on all of them. */
export const KIND_LABELS: Readonly<Record<MemoryKind, string>> = {
  episodic: 'HoldfastEpisodicMemory',
  semantic: 'HoldfastSemanticMemory',
};

/**
 * A condition that `memory`, with the label of a kind, is the user's: an index of several properties is used only
 * where something is asked of each.
 */
export const IS_OF_USER = 'memory.user = $user AND memory.timestamp IS NOT NULL AND memory.id IS NOT NULL';

/** What reads of memories return, for `toNode`. */
export const MEMORY_COLUMNS = 'memory.state AS state, memory.reads AS reads';

/**
 * What the property `state` has, as JSON: all of a memory but the counts of its reads. In one property, so that no
 * reader finds a revision beside another one's text. The other properties are for searching, filtering and ordering.
 */
type MemoryState = Omit<MemoryNode, 'readCount' | 'readAt'>;

const CREATE: Readonly<Record<MemoryKind, string>> = {
  episodic: `CREATE (memory:HoldfastMemory:${KIND_LABELS.episodic} {id: $id}) SET memory += $properties`,
  semantic: `CREATE (memory:HoldfastMemory:${KIND_LABELS.semantic} {id: $id}) SET memory += $properties`,
};
const SAVE = 'MATCH (memory:HoldfastMemory {id: $id}) SET memory += $properties';
const FIND = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids RETURN ${MEMORY_COLUMNS}`;

/** In the order of ids, which is the same in every transaction. */
const LOCK = `UNWIND $ids AS id MATCH (memory:HoldfastMemory {id: id}) SET memory.lock = true`;
const NOTE_READS = `UNWIND $notes AS note
  MATCH (memory:HoldfastMemory {id: note.id})
  SET memory.reads = [coalesce(memory.reads[0], 0) + note.count,
    CASE WHEN memory.reads[1] > note.at THEN memory.reads[1] ELSE note.at END]`;

/** None for a node that is half made or half gone. */
export function toNodes({ state, reads }: Row): MemoryNode[] {
  if (state === null) return [];
  const [readCount, readAt] = (reads ?? [0, null]) as [number, number | null];
  return [{ ...(JSON.parse(state as string) as MemoryState), readCount, readAt }];
}

export async function findMemories(statements: Statements, ids: readonly string[]): Promise<MemoryNode[]> {
  return (await statements.run(FIND, { ids })).flatMap(toNodes);
}

export async function createMemory(statements: Statements, node: NewMemoryNode): Promise<MemoryNode> {
  const created = stateOf(node, 1);
  await statements.run(CREATE[node.kind], { id: node.id, properties: propertiesOf(created) });
  return { ...created, readCount: 0, readAt: null };
}

/** @returns the memory as it is after the change, of which `placement`, `relations` and `vector` are not done here */
export async function saveChange(
  statements: Statements,
  node: MemoryNode,
  { text, labels, weight, body }: MemoryChange,
): Promise<MemoryNode> {
  const { readCount, readAt } = node;
  const changed = stateOf(
    {
      ...node,
      text: text ?? node.text,
      labels: labels ?? node.labels,
      weight: weight ?? node.weight,
      body: body ?? node.body,
    },
    node.revision + 1,
  );
  await statements.run(SAVE, { id: node.id, properties: propertiesOf(changed) });
  return { ...changed, readCount, readAt };
}

/** Until the transaction ends nobody else changes these memories. */
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
  // In a statement of its own, so that the counts are read when nobody else can change them.
  await Promise.all([lockMemories(statements, ids), statements.run(NOTE_READS, { notes })]);
}

function propertiesOf(state: MemoryState): Record<string, unknown> {
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

/** These fields and no others, whatever else the object of a caller has. */
function stateOf(node: NewMemoryNode, revision: number): MemoryState {
  const { id, kind, userId, sessionId, timestamp, text, labels, weight, body } = node;
  return { id, kind, userId, sessionId, timestamp, text, labels, weight, body, revision };
}
