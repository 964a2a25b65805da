import { type RelationshipField, relationshipRefused } from '../../memory/errors';
import type { NamePage, SessionSummary } from '../../memory/memory-graph';
import type { NewMemoryNode, Placement } from '../../memory/node';
import { boundedLimit } from '../../memory/search';
import type { Row, Statements } from '../connection';
import { keyFromText, keyToText } from '../key-text';
import { IS_OF_USER, KIND_LABELS } from './rows';

/**
 * The order of sessions: `NEXT` leads from each memory to the next one, and `LAST` from the session to its last memory, after
 * which most new ones are added. All callers hold the lock of the user.
 */
const NODES_OF = (name: string): string => `CASE WHEN ${name} IS NULL THEN [] ELSE [${name}] END`;

const APPEND = `MATCH (memory:HoldfastMemory {id: $id})
  MERGE (session:HoldfastMemorySession {user: $user, name: $session})
  WITH memory, session
  OPTIONAL MATCH (session)-[last:LAST]->(tail:HoldfastMemory)
  FOREACH (one IN ${NODES_OF('tail')} | CREATE (one)-[:NEXT]->(memory))
  DELETE last
  CREATE (session)-[:LAST]->(memory)`;

const PLACE_BEHIND = `MATCH (memory:HoldfastMemory {id: $id}), (left:HoldfastMemory {id: $neighbour})
  OPTIONAL MATCH (left)-[link:NEXT]->(right:HoldfastMemory)
  OPTIONAL MATCH (session:HoldfastMemorySession)-[last:LAST]->(left)
  FOREACH (one IN ${NODES_OF('right')} | CREATE (memory)-[:NEXT]->(one))
  FOREACH (one IN ${NODES_OF('session')} | CREATE (one)-[:LAST]->(memory))
  DELETE link, last
  CREATE (left)-[:NEXT]->(memory)`;

const PLACE_BEFORE = `MATCH (memory:HoldfastMemory {id: $id}), (right:HoldfastMemory {id: $neighbour})
  OPTIONAL MATCH (left:HoldfastMemory)-[link:NEXT]->(right)
  FOREACH (one IN ${NODES_OF('left')} | CREATE (one)-[:NEXT]->(memory))
  DELETE link
  CREATE (memory)-[:NEXT]->(right)`;

const TAKE_OUT = `MATCH (memory:HoldfastMemory {id: $id})
  OPTIONAL MATCH (left:HoldfastMemory)-[before:NEXT]->(memory)
  OPTIONAL MATCH (memory)-[after:NEXT]->(right:HoldfastMemory)
  OPTIONAL MATCH (session:HoldfastMemorySession)-[last:LAST]->(memory)
  FOREACH (one IN ${NODES_OF('left')} |
    FOREACH (other IN ${NODES_OF('right')} | CREATE (one)-[:NEXT]->(other))
    FOREACH (other IN ${NODES_OF('session')} | CREATE (other)-[:LAST]->(one)))
  DELETE before, after, last
  WITH session, left WHERE session IS NOT NULL AND left IS NULL
  DELETE session`;

const NEIGHBOURS = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids
  OPTIONAL MATCH (memory)-[:NEXT]->(next:HoldfastMemory)
  RETURN memory.id AS id, memory.user AS user, memory.session AS session, next.id AS next`;

const LATER = `MATCH (memory:${KIND_LABELS.episodic}) WHERE memory.user = $user AND memory.session = $session
    AND memory.id IS NOT NULL AND (memory.timestamp > $timestamp OR (memory.timestamp = $timestamp AND memory.id > $id))
  RETURN memory.id AS id ORDER BY memory.timestamp, memory.id LIMIT 1`;

const LIST = `MATCH (session:HoldfastMemorySession {user: $user}) WHERE session.name > $after
  WITH session.name AS name ORDER BY name LIMIT toInteger($limit)
  MATCH (memory:${KIND_LABELS.episodic}) WHERE ${IS_OF_USER} AND memory.session = name
  RETURN name, count(*) AS memories, min(memory.timestamp) AS first, max(memory.timestamp) AS last ORDER BY name`;

/** Lists the sessions of a user, in ascending order of code units. */
export async function listSessions(
  statements: Statements,
  userId: string,
  { after = '', limit }: NamePage,
): Promise<SessionSummary[]> {
  const parameters = { user: keyToText(userId), after: keyToText(after), limit: boundedLimit(limit) };
  return (await statements.run(LIST, parameters)).map(({ name, memories, first, last }) => ({
    sessionId: keyFromText(name as string),
    memories: Number(memories),
    first: Number(first),
    last: Number(last),
  }));
}

/**
 * Puts a memory that has no place in its session yet at a place.
 * @throws HoldfastError `VALIDATION` as `MemoryGraph.insert`
 */
export async function placeMemory(
  statements: Statements,
  { id, userId, sessionId, timestamp }: NewMemoryNode,
  { after, before, byTime = false }: Placement,
): Promise<void> {
  if (sessionId === null) {
    const field = after === undefined && before !== undefined ? 'next' : 'previous';
    throw relationshipRefused(field, 'is for memories of a session');
  }
  const [user, session] = [keyToText(userId), keyToText(sessionId)];
  if (after === undefined && before === undefined) {
    const [later] = byTime ? await statements.run(LATER, { id, user, session, timestamp }) : [];
    if (later !== undefined) {
      await statements.run(PLACE_BEFORE, { id, neighbour: later['id'] });
      return;
    }
    await statements.run(APPEND, { id, user, session });
    return;
  }
  const rows = await statements.run(NEIGHBOURS, { ids: [after, before].filter((one) => one !== undefined) });
  const neighbour = (field: RelationshipField, wanted: string): Row => {
    const row = rows.find((one) => one['id'] === wanted);
    if (row?.['user'] !== user || row['session'] !== session) {
      throw relationshipRefused(field, 'is not a memory of this session');
    }
    if (wanted === id) throw relationshipRefused(field, 'is the memory itself');
    return row;
  };
  const left = after === undefined ? undefined : neighbour('previous', after);
  if (before !== undefined) neighbour('next', before);
  if (left !== undefined && before !== undefined && left['next'] !== before) {
    throw relationshipRefused('next', 'does not come right behind relationships.previous');
  }
  if (before === undefined) await statements.run(PLACE_BEHIND, { id, neighbour: after });
  else await statements.run(PLACE_BEFORE, { id, neighbour: before });
}

/** Removes a memory from its session and closes the gap. Deletes the session if this was its only memory. */
export async function takeOutOfSession(statements: Statements, id: string): Promise<void> {
  await statements.run(TAKE_OUT, { id });
}
