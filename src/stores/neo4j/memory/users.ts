import { memoryErasing } from '../../memory/errors';
import type { MemoryKind } from '../../memory/node';
import type { Row, Statements } from '../connection';
import { OvertakenError } from '../errors';
import { keyFromText, keyToText } from '../key-text';

export interface User {
  readonly name: string;
  /** The number of memories of each kind. */
  readonly episodic: number;
  readonly semantic: number;
  readonly isErasing: boolean;
}

/**
 * Every change of a user's memories takes the lock of the user's node first, so that it reads the completed result of the
 * previous change. A user without memories has a node only while being erased, so a node with zero counts belongs to a user who
 * is new or is being erased.
 */
const LOCK_OR_ADD = `MERGE (user:HoldfastMemoryUser {user: $user})
  ON CREATE SET user.episodic = 0, user.semantic = 0
  SET user.lock = true`;
const READ = 'MATCH (user:HoldfastMemoryUser {user: $user}) RETURN user { .* } AS user';
const LOCK_OF_MEMORIES = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids
  WITH DISTINCT memory.user AS name ORDER BY name
  MATCH (user:HoldfastMemoryUser {user: name}) SET user.lock = true`;
const USERS_OF_MEMORIES = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids
  MATCH (user:HoldfastMemoryUser {user: memory.user})
  RETURN DISTINCT user { .* } AS user`;
const LOCK_ALL = 'MATCH (user:HoldfastMemoryUser) WITH user ORDER BY user.user SET user.lock = true';
const COUNT = `MATCH (user:HoldfastMemoryUser {user: $user})
  SET user.episodic = user.episodic + $episodic, user.semantic = user.semantic + $semantic`;
const MARK = 'MATCH (user:HoldfastMemoryUser {user: $user}) SET user.erasing = true';
const UNMARK = 'MATCH (user:HoldfastMemoryUser {user: $user}) REMOVE user.erasing';
const REMOVE_UNUSED = `MATCH (user:HoldfastMemoryUser {user: $user})
  WHERE user.episodic = 0 AND user.semantic = 0 AND user.erasing IS NULL
  DELETE user`;
const LIST: Readonly<Record<MemoryKind, string>> = {
  episodic: listStatement('episodic'),
  semantic: listStatement('semantic'),
};

function listStatement(kind: MemoryKind): string {
  return `MATCH (user:HoldfastMemoryUser) WHERE user.user > $after AND user.${kind} > 0
    RETURN user.user AS name ORDER BY name LIMIT toInteger($limit)`;
}

/**
 * Locks a user: no other transaction changes the user's memories until this one ends. Creates the node if it is missing.
 * @throws OvertakenError if another transaction deleted the node while this one waited for its lock: Neo4j then reports no
 *   error, and without the node the counts of this change would be lost
 */
export async function lockUser(statements: Statements, userId: string): Promise<User> {
  const [, [row]] = await Promise.all([
    statements.run(LOCK_OR_ADD, { user: keyToText(userId) }),
    statements.run(READ, { user: keyToText(userId) }),
  ]);
  if (row === undefined) throw new OvertakenError();
  return toUser(row);
}

/** Reads the last committed state of a user. The counts are 0 if the user has no memories. */
export async function findUser(statements: Statements, userId: string): Promise<User> {
  const [row] = await statements.run(READ, { user: keyToText(userId) });
  return row === undefined ? { name: userId, episodic: 0, semantic: 0, isErasing: false } : toUser(row);
}

/** Locks the users who own these memories, and returns them. */
export async function lockUsersOf(statements: Statements, ids: readonly string[]): Promise<User[]> {
  const [, rows] = await Promise.all([
    statements.run(LOCK_OF_MEMORIES, { ids }),
    statements.run(USERS_OF_MEMORIES, { ids }),
  ]);
  return rows.map(toUser);
}

/** Locks all users: no other transaction changes a memory until this one ends, except those of new users. */
export async function lockAllUsers(statements: Statements): Promise<void> {
  await statements.run(LOCK_ALL);
}

/** @throws HoldfastError `MEMORY_ERASING` */
export function requireNotErasing({ isErasing }: User): void {
  if (isErasing) throw memoryErasing();
}

/** Adds to the user's counts, and deletes the user's node if it is not needed any more. */
export async function countMemories(
  statements: Statements,
  userId: string,
  difference: Readonly<Record<MemoryKind, number>>,
): Promise<void> {
  const user = keyToText(userId);
  await Promise.all([
    statements.run(COUNT, { user, ...difference }),
    statements.run(REMOVE_UNUSED, { user }),
  ]);
}

export async function markErasing(statements: Statements, userId: string): Promise<void> {
  await Promise.all([lockUser(statements, userId), statements.run(MARK, { user: keyToText(userId) })]);
}

export async function unmarkErasing(statements: Statements, userId: string): Promise<void> {
  const user = keyToText(userId);
  await Promise.all([
    lockUser(statements, userId),
    statements.run(UNMARK, { user }),
    statements.run(REMOVE_UNUSED, { user }),
  ]);
}

/** Lists users who have memories of a kind, in ascending order of code units. */
export async function listUsers(
  statements: Statements,
  kind: MemoryKind,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await statements.run(LIST[kind], { after: keyToText(after), limit });
  return rows.map(({ name }) => keyFromText(name as string));
}

function toUser(row: Row): User {
  const { user, episodic, semantic, erasing } = row['user'] as Row;
  return {
    name: keyFromText(user as string),
    episodic: Number(episodic),
    semantic: Number(semantic),
    isErasing: erasing === true,
  };
}
