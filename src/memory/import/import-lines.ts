import { eachAtOnce } from '../../base/async/each-at-once';
import { type HoldfastError, isHoldfastError } from '../../base/errors';
import type { ImportError } from '../../contracts/http/imports';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import type { Facts } from '../facts/facts';
import { contentOf, sourceOf, timesOf } from '../nodes/episodic-node';
import type { NodeAccess } from '../nodes/node-access';
import { type ImportedIds, findOwn } from './ids';
import { type MemoryLine, toRefusal } from './read-line';

export interface ImportLinesPorts {
  readonly graph: Pick<UserMemories, 'getMany'>;
  readonly nodes: Readonly<Record<MemoryKind, Pick<NodeAccess, 'insert'>>>;
  readonly facts: Pick<Facts, 'postpone'>;
  readonly ids: Pick<ImportedIds, 'inPlaceOf'>;
}

/** A line with the id that its memory shall have. */
export interface IdentifiedLine extends MemoryLine {
  readonly id: string;
}

export interface ImportLinesOptions {
  /** Stores the lines that had no memory when an attempt first looked at them; later attempts get the same lines. */
  storeFirstLook(lines: readonly number[]): Promise<readonly number[]>;
  /** Once it aborts, no further memory is written. */
  readonly signal?: AbortSignal | undefined;
}

export interface ImportedLines {
  readonly created: number;
  readonly present: number;
  readonly renamed: number;
  readonly errors: readonly ImportError[];
  /**
   * The earliest memory of which facts may be drawn, epoch milliseconds; absent if no fact may be drawn. It need not be a new one,
   * because an import that ended early has drawn no facts.
   */
  readonly earliest?: number;
}

/** Memories that are stored at the same time: the store writes those that wait together at once. */
const AT_ONCE = 20;

/**
 * Creates the memories of lines of a user, and draws no facts. A repeat with the same lines creates nothing and has the same result.
 * @throws what graph and embedder throw; HoldfastError `MEMORY_ERASING`
 */
export async function importLines(
  lines: readonly IdentifiedLine[],
  userId: string,
  { graph, nodes, facts, ids }: ImportLinesPorts,
  { storeFirstLook, signal }: ImportLinesOptions,
): Promise<ImportedLines> {
  const ownIds = await findOwn(
    { graph, ids },
    userId,
    lines.map(({ id, node: { kind } }) => ({ id, kind })),
  );
  const first = new Map<string, IdentifiedLine>();
  for (const line of lines) if (!first.has(line.id)) first.set(line.id, line);
  const missing = [...first.values()].filter(({ id }) => !ownIds.has(id));
  const fresh = new Set(await storeFirstLook(missing.map(({ line }) => line)));
  const refused = new Map<string, ImportError>();

  async function insert({ id, line, node }: IdentifiedLine): Promise<void> {
    signal?.throwIfAborted();
    const insertAs = (as: string): Promise<MemoryNode> =>
      nodes[node.kind].insert({
        node: { ...node, id: as },
        ...(node.kind === 'episodic' ? { placement: { byTime: true } } : {}),
      });
    try {
      const stored = await insertAs(id).catch((error: unknown) => {
        if (!isRefusal(error) || error.details?.['field'] !== 'id') throw error;
        return insertAs(ids.inPlaceOf(userId, node.kind, id));
      });
      ownIds.set(id, stored.id);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const title = error.code === 'MEMORY_QUOTA' ? { error: 'Memory quota exceeded' } : {};
      refused.set(id, { ...toRefusal(line, error), ...title });
    }
  }

  const findCreated = (): IdentifiedLine[] =>
    lines.filter(({ id, line }) => ownIds.has(id) && fresh.has(line));
  const toSources = (from: readonly IdentifiedLine[]): MemoryNode[] =>
    from
      .map(({ id, node }) => ({ ...node, ...UNREAD, id: ownIds.get(id) ?? id }))
      .filter((node) => node.kind === 'episodic' && sourceOf(node) === 'user');
  const postpone = (): Promise<void> =>
    facts.postpone(
      userId,
      toSources(findCreated()).map((node) => ({
        ...timesOf(node),
        ...sourceIn(node),
        text: contentOf(node),
      })),
    );

  try {
    await eachAtOnce(missing, AT_ONCE, insert);
  } catch (error) {
    // A run that is cancelled makes no further attempt, and a repeat of the import finds these memories present.
    await postpone().catch(() => undefined);
    throw error;
  }
  await postpone();
  const errors = lines.flatMap(({ id, line }) => {
    const error = refused.get(id);
    return error === undefined ? [] : { ...error, line };
  });
  const created = findCreated();
  const times = toSources(lines.filter(({ id }) => ownIds.has(id))).map((node) => timesOf(node).at);
  return {
    created: created.length,
    present: lines.length - errors.length - created.length,
    renamed: created.filter(({ id }) => ownIds.get(id) !== id).length,
    errors,
    ...(times.length === 0 ? {} : { earliest: Math.min(...times) }),
  };
}

/** What a memory has that was not changed and not read. */
const UNREAD = { revision: 1, readCount: 0, readAt: null };

const sourceIn = ({ id: memoryId, userId, sessionId }: MemoryNode) => ({ memoryId, userId, sessionId });

function isRefusal(error: unknown): error is HoldfastError {
  return isHoldfastError(error) && (error.code === 'VALIDATION' || error.code === 'MEMORY_QUOTA');
}
