import type { RecordedFact } from '../../contracts/facts';
import type { MemoryVersion, PlannedArchiving } from '../../contracts/runs/consolidation';
import { cosine } from '../../embeddings/vectors';
import type { MemoryNode } from '../../stores/memory/node';
import type { OpenSpaces } from '../vectors/vector-spaces';
import { buildFactsKey, buildFrameKey, buildWordsKey, writtenText } from './same-text';
import { groupBy } from '../../base/lists';

/** What is kept of a memory while it is compared. */
export interface ComparedMemory extends MemoryVersion {
  readonly timestamp: number;
  readonly weight: number;
  /** Two memories with the same key have the same words, and all else in common. */
  readonly wordsKey: string;
  /** Two memories with the same key say the same facts and nothing else; undefined if a memory says something else. */
  readonly factsKey?: string;
  /** Present with a `factsKey`; the texts of all others would take hundreds of megabytes, and none of them is embedded. */
  readonly text?: string;
  /** Whether archived memories say the same, for which this one is kept. */
  readonly isKept: boolean;
}

/** Memories that say the same. */
export interface DuplicateGroup {
  readonly kept: ComparedMemory;
  readonly others: readonly ComparedMemory[];
}

/** Minimum similarity of texts that say the same facts, on the scale of `Embedder.similarity`. */
const NEAR = 0.8;

/** Prepares a memory for comparisons. Pure. @param saidFacts the facts that the rules read from it */
export function toCompared(
  node: MemoryNode,
  saidFacts: readonly RecordedFact[],
  isKept: boolean,
): ComparedMemory {
  const { id, revision, timestamp, weight } = node;
  const text = writtenText(node);
  const frame = buildFrameKey(node);
  const facts = buildFactsKey(text, saidFacts);
  return {
    id,
    revision,
    timestamp,
    weight,
    wordsKey: `${frame}/${buildWordsKey(text)}`,
    ...(facts === undefined ? {} : { factsKey: `${frame}/${facts}`, text }),
    isKept,
  };
}

/**
 * Finds memories that say the same: those with the same words, and those that say the same facts in words whose meaning is near by
 * the embedding. The embedding alone decides nothing, because "my tea is cold" and "my tea is hot" are near each other.
 */
export async function findDuplicates(
  memories: readonly ComparedMemory[],
  spaces: OpenSpaces,
  signal?: AbortSignal,
): Promise<DuplicateGroup[]> {
  const sameWords = groupBy(memories, ({ wordsKey }) => wordsKey).map(toGroup);
  const sameFacts = groupBy(sameWords, ({ kept }) => kept.factsKey ?? kept.wordsKey);
  const groups: DuplicateGroup[] = [];
  for (const group of sameFacts) {
    signal?.throwIfAborted();
    groups.push(...(group.length === 1 ? group : await joinNear(group, spaces, signal)));
  }
  return groups.filter(({ others }) => others.length > 0);
}

/** The archivings of a group. One that is kept for archived memories stays. Pure. */
export function toArchivings({ kept, others }: DuplicateGroup): PlannedArchiving[] {
  return others
    .filter(({ isKept }) => !isKept)
    .sort((one, other) => one.timestamp - other.timestamp || (one.id < other.id ? -1 : 1))
    .map((memory) => ({ ...toVersion(memory), kept: toVersion(kept) }));
}

/** Joins the groups whose memories are near that of the first one; the others stay by themselves. */
async function joinNear(
  groups: readonly DuplicateGroup[],
  spaces: OpenSpaces,
  signal?: AbortSignal,
): Promise<DuplicateGroup[]> {
  const [first, ...rest] = [...groups].sort((one, other) => inRank(one.kept, other.kept));
  if (first === undefined) return [];
  const near = await spaces.use(async ({ embedder }) => {
    const [ownVector, ...others] = await embedder.embed(
      [first, ...rest].map(({ kept }) => kept.text ?? ''),
      signal,
    );
    const isNear = (vector?: Float32Array): boolean =>
      ownVector !== undefined &&
      vector !== undefined &&
      embedder.similarity(cosine(ownVector, vector)) >= NEAR;
    return rest.map((_, place) => isNear(others[place]));
  });
  const joined = rest.filter((_, place) => near[place]).flatMap(({ kept, others }) => [kept, ...others]);
  return [
    { kept: first.kept, others: [...first.others, ...joined] },
    ...rest.filter((_, place) => near[place] !== true),
  ];
}

function toGroup(memories: readonly [ComparedMemory, ...ComparedMemory[]]): DuplicateGroup {
  const [keptMemory = memories[0], ...others] = [...memories].sort(inRank);
  return { kept: keptMemory, others };
}

/** The first one stays: one for which others were archived, then the more important, then the later one. */
function inRank(one: ComparedMemory, other: ComparedMemory): number {
  return (
    Number(other.isKept) - Number(one.isKept) ||
    other.weight - one.weight ||
    other.timestamp - one.timestamp ||
    (one.id < other.id ? 1 : -1)
  );
}

function toVersion({ id, revision }: MemoryVersion): MemoryVersion {
  return { id, revision };
}
