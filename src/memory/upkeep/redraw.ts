import { isDeepStrictEqual } from 'node:util';
import type { Fact, FactSource, RecordedFact, SaidFact } from '../../contracts/facts';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { ListPosition } from '../../stores/memory/search';
import type { FactLog } from '../facts/fact-log';
import { type FactRules, MAX_DRAWN } from '../facts/facts';
import { foldFacts } from '../facts/fold';
import { givesWay } from '../facts/model/check';
import { states } from '../facts/sayings';
import { contentOf, sourceOf, timesOf } from '../nodes/episodic-node';
import type { MemoryArchive } from './archive';
import { createYielder } from '../../base/async/large-pieces';
import { computeDigest } from '../../base/ids';

export interface RedrawPorts {
  readonly graph: Pick<UserMemories, 'get' | 'getMany' | 'list'>;
  readonly log: Pick<FactLog, 'read' | 'find' | 'change' | 'forget'>;
  readonly archive: Pick<MemoryArchive, 'copies'>;
  readonly rules: Pick<FactRules, 'readFacts'>;
}

/** What became of one page of a user's memories. */
export interface RedrawnPage {
  readonly memories: number;
  /** Where the next page begins; absent after the last one. */
  readonly next?: ListPosition;
}

/**
 * Draws the facts of a page of a user's memories anew, from the oldest memory on, because a statement may end only what is known
 * before it. Corrections, what was retracted and what a model drew stay as they are. A page may be repeated.
 * @param after the `next` of the page before
 * @throws what graph and documents throw; HoldfastError `MEMORY_ERASING`
 */
export type RedrawPage = (
  userId: string,
  after: ListPosition | undefined,
  signal?: AbortSignal,
) => Promise<RedrawnPage>;

const PAGE = 100;

/** A memory whose facts are drawn anew. */
interface Item extends Pick<FactSource, 'memoryId' | 'at' | 'storedAt'> {
  /** Absent if the memory is archived and no copy of it is left; nothing that it said held any more then. */
  readonly text?: string | undefined;
}

export function createRedrawPage({ graph, log, archive, rules }: RedrawPorts): RedrawPage {
  /** The texts of archived memories: that of the copy, or of the memory that is kept for it. */
  async function readArchived(userId: string, archived: readonly FactSource[]): Promise<Item[]> {
    if (archived.length === 0) return [];
    const texts = new Map<string, string>();
    for await (const copies of archive.copies(userId))
      for (const { node } of copies) texts.set(node.id, contentOf(node));
    const keptNodes = await graph.getMany(archived.flatMap((source) => source.archived?.keptAs ?? []));
    return archived.map(({ memoryId, at, archived: { keptAs = '' } = {} }) => {
      const stays = keptNodes.get(keptAs);
      return { memoryId, at, text: texts.get(memoryId) ?? (stays && contentOf(stays)) };
    });
  }

  /** Stores what the rules read of a memory now. @returns what the memory says then; undefined if it says the same as before */
  async function store(
    userId: string,
    { text, ...item }: Item,
    read: readonly SaidFact[],
  ): Promise<FactSource | undefined> {
    let changed: FactSource | undefined;
    const digest = text === undefined ? {} : { textDigest: computeDigest(text) };
    await log.change(userId, item.memoryId, (before) => {
      const saidFacts = renew(item, before?.said ?? [], read);
      const isSame = isDeepStrictEqual(saidFacts, before?.said ?? []);
      changed = isSame ? undefined : { ...item, ...before, said: saidFacts, ...digest };
      return changed;
    });
    return changed;
  }

  /**
   * Stores the facts of a memory until they are those of the memory as it is, as somebody may change or delete it meanwhile.
   * @param first what the rules read of it
   */
  async function redraw(
    item: Item & { readonly node: MemoryNode },
    first: readonly SaidFact[],
    readFacts: (text: string) => readonly SaidFact[],
  ): Promise<FactSource | undefined> {
    const { node, ...source } = item;
    const { memoryId } = source;
    const { userId } = node;
    let text = contentOf(node);
    let read = first;
    for (;;) {
      const changed = await store(userId, { ...source, text }, read);
      const now = changed && (await graph.get(memoryId));
      if (changed === undefined || (now && sourceOf(now) === 'user' && contentOf(now) === text))
        return changed;
      if (now === undefined || sourceOf(now) !== 'user') {
        // What an archived memory says stays.
        if ((await log.find(userId, memoryId))?.archived === undefined) await log.forget(userId, memoryId);
        return { ...changed, said: [] };
      }
      text = contentOf(now);
      read = readFacts(text);
    }
  }

  return async (userId, after, signal) => {
    const position = after === undefined ? {} : { after };
    const scope = { userId, kind: 'episodic', order: 'oldest-first', limit: PAGE } as const;
    const nodes = await graph.list({ ...scope, ...position });
    const last = nodes.length < PAGE ? undefined : nodes.at(-1);
    const sources = new Map((await log.read(userId)).map((source) => [source.memoryId, source]));
    const archived = [...sources.values()].filter(
      (source) =>
        source.archived !== undefined &&
        source.said.some(({ drawnBy }) => drawnBy === undefined) &&
        source.at > (after?.timestamp ?? -Infinity) &&
        source.at <= (last?.timestamp ?? Infinity),
    );
    const items: (Item & { readonly node?: MemoryNode })[] = [
      ...nodes
        .filter((node) => sourceOf(node) === 'user')
        .map((node) => ({ memoryId: node.id, ...timesOf(node), node })),
      ...(await readArchived(userId, archived)),
    ];
    const knownBefore = createKnown(sources);
    const yieldWhenDue = createYielder();
    for (const { node, ...item } of items.sort((one, other) => one.at - other.at)) {
      signal?.throwIfAborted();
      await yieldWhenDue();
      const known = knownBefore(item);
      const readFacts = (text = ''): readonly SaidFact[] => rules.readFacts(text, known).slice(0, MAX_DRAWN);
      // Most memories say nothing and said nothing before.
      const read = readFacts(node === undefined ? item.text : contentOf(node));
      if (!sources.has(item.memoryId) && read.length === 0) continue;
      const changed =
        node === undefined
          ? await store(userId, item, read)
          : await redraw({ ...item, node }, read, readFacts);
      if (changed !== undefined) sources.set(item.memoryId, changed);
    }
    return {
      memories: nodes.length,
      ...(last === undefined ? {} : { next: { timestamp: last.timestamp, id: last.id } }),
    };
  };
}

/** Returns a function that works out what holds before a memory, the latest first, anew only if the sources differ. */
function createKnown(sources: ReadonlyMap<string, FactSource>): (item: Item) => readonly Fact[] {
  let folded: { readonly earlier: readonly FactSource[]; readonly known: readonly Fact[] } | undefined;
  return ({ memoryId, at }) => {
    const earlier = [...sources.values()].filter((source) => source.at <= at && source.memoryId !== memoryId);
    const isSame =
      folded?.earlier.length === earlier.length &&
      earlier.every((source, n) => source === folded?.earlier[n]);
    if (folded === undefined || !isSame) {
      const known = foldFacts(earlier).filter(({ validTo }) => validTo === undefined);
      folded = { earlier, known: known.reverse() };
    }
    return folded.known;
  };
}

/**
 * What a memory says by what the rules read of it now. A value that was retracted or corrected never held under another name of its
 * attribute either. What a model drew gives way to what the rules read, as when the model reads a memory after them.
 */
function renew(item: Item, before: readonly RecordedFact[], read: readonly SaidFact[]): RecordedFact[] {
  const renewed = read.map((each): RecordedFact => {
    const { retracted } =
      before.find(
        (one) => one.retracted !== undefined && states({ ...each, attribute: one.attribute }, one),
      ) ?? {};
    return retracted === undefined ? each : { ...each, retracted };
  });
  const isKept = (one: RecordedFact): boolean =>
    one.retracted === undefined
      ? one.drawnBy !== undefined && givesWay(one, item, [{ ...item, said: renewed }]) === undefined
      : one.drawnBy !== undefined || !renewed.some((each) => states(each, one));
  return [...renewed, ...before.filter(isKept)];
}
