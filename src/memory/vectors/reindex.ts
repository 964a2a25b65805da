import type {
  ReindexPage,
  ReindexPageInput,
  ReindexTarget,
  ReindexWordsInput,
  ReindexWordsPage,
} from '../../contracts/runs/memory';
import type { Embedder } from '../../embeddings/embedder';
import type { Embedders } from '../../embeddings/embedders';
import { HoldfastError, isHoldfastError } from '../../base/errors';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryChange, MemoryNode } from '../../stores/memory/node';
import type { VectorSpace } from '../../stores/memory/vector-spaces';
import { identityOf, nameOf } from './vector-spaces';

export interface ReindexPorts {
  readonly graph: MemoryGraph;
  readonly embedders: Pick<Embedders, 'all' | 'find'>;
  /** The text that search reads of a memory today; what is stored may be of an earlier build. */
  readonly textOf: (node: MemoryNode) => string;
  /** A pseudonym of these stores. */
  readonly store: string;
}

/**
 * Moves all memories to the embedding model of the settings, and indexes words anew that another build has indexed, in steps that may each be repeated, while callers read and
 * write memories. All methods throw what graph and embedder throw, and `EMBEDDING_MODEL_CHANGED` for steps of a
 * reindexing that began in other stores.
 */
export interface Reindex {
  /**
   * Opens the space of the preferred embedder, which has to be ready, because memories are never moved to a fallback.
   * If the memories are in a space of that embedder already, it is this space; with `again` it is another space of
   * the same embedder, for vectors that were lost.
   */
  open(signal: AbortSignal, again?: boolean): Promise<ReindexTarget>;
  /** Embeds a bounded number of memories, in the order of their ids. */
  page(input: ReindexPageInput, signal: AbortSignal): Promise<ReindexPage>;
  /**
   * Makes the space the current one. @returns false while a memory lacks its vector: then all pages have to be repeated
   */
  switchTo(spaceId: number, store?: string): Promise<boolean>;
  /** Indexes the words of the next memories as this build does, for about a second. It needs no embedding model. */
  words(input: ReindexWordsInput, signal: AbortSignal): Promise<ReindexWordsPage>;
}

/** Time limit for loading a model from disk, milliseconds; fetching a model may take longer. */
const READY_LIMIT_MS = 15_000;
/** Number of memories embedded in one step. */
const PAGE = 100;
/** Number of memories whose words are indexed in one transaction. */
const WORDS_PAGE = 50;
const WORDS_STEP_MS = 1_000;

export function createReindex({ graph, embedders, textOf, store }: ReindexPorts): Reindex {
  async function findEmbedder(spaceId: number): Promise<Embedder> {
    const { current, next } = await graph.vectorSpaces();
    const space = [current, next].find((each) => each?.id === spaceId);
    const embedder = space == null ? undefined : embedders.find(identityOf(space));
    if (embedder !== undefined) return embedder;
    throw cannotMove(
      'the space to which memories are moved was dropped, or this process has another embedding model',
    );
  }

  function checkStore(begunIn: string | undefined): void {
    if (begunIn === undefined || begunIn === store) return;
    throw cannotMove('memories are in other stores now than when the reindexing began; begin it again');
  }

  /** @throws HoldfastError `EMBEDDER_UNAVAILABLE` (retryable) also while the model is still being loaded */
  async function untilReady(embedder: Embedder, signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.timeout(READY_LIMIT_MS);
    try {
      await embedder.ready(AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      const reason = `The embedding model ${nameOf(embedder.identity)} is still being loaded; ask again later`;
      throw new HoldfastError('EMBEDDER_UNAVAILABLE', reason, { retryable: true });
    }
  }

  /** @returns undefined if somebody has changed the memory meanwhile; the memory as it is if its user is being erased */
  async function updateUnlessErasing(
    node: MemoryNode,
    change: MemoryChange,
  ): Promise<MemoryNode | undefined> {
    try {
      return await graph.update(node.id, change, { ifRevision: node.revision });
    } catch (error) {
      if (isHoldfastError(error) && error.code === 'MEMORY_ERASING') return node;
      throw error;
    }
  }

  /**
   * Renews the texts that an earlier build has stored, which search reads more of now. Only if the memories stay with their
   * model: a memory whose text changes would lose its vector of another model before all have moved.
   */
  async function renewTexts(
    nodes: readonly MemoryNode[],
    embedder: Embedder,
    signal: AbortSignal,
  ): Promise<MemoryNode[]> {
    const { current } = await graph.vectorSpaces();
    const texts = new Map(nodes.map((node) => [node.id, textOf(node)]));
    const outdated = isSpaceOf(current, embedder)
      ? nodes.filter(({ id, text }) => texts.get(id) !== text)
      : [];
    if (current === null || outdated.length === 0) return [...nodes];
    const vectors = await embedder.embed(
      outdated.map(({ id }) => texts.get(id) ?? ''),
      signal,
    );
    const renewed = new Map<string, MemoryNode | undefined>();
    for (const [index, node] of outdated.entries()) {
      const [text = '', values] = [texts.get(node.id), vectors[index]];
      const vector = values === undefined ? {} : { vector: { spaceId: current.id, values } };
      renewed.set(node.id, await updateUnlessErasing(node, { text, ...vector }));
    }
    // If somebody changed the memory meanwhile, its text is of this build, and the next pass moves it.
    return nodes.flatMap((node) => (renewed.has(node.id) ? (renewed.get(node.id) ?? []) : node));
  }

  return {
    async open(signal, again = false) {
      const [preferred] = embedders.all;
      if (preferred === undefined) throw new HoldfastError('INTERNAL', 'There is no embedder');
      await untilReady(preferred, signal);
      const { dimensions } = preferred.identity;
      const model = nameOf(preferred.identity);
      // A store without any space begins with this one.
      const current = await graph.pinVectorSpace(model, dimensions);
      const isCurrent = !again && isSpaceOf(current, preferred);
      const { id: spaceId } = isCurrent ? current : await graph.openNextVectorSpace(model, dimensions);
      return { spaceId, model, dimensions, isCurrent, store };
    },
    async page({ spaceId, after, store: begunIn }, signal) {
      checkStore(begunIn);
      const embedder = await findEmbedder(spaceId);
      const listed = await graph.listWithoutVector(spaceId, {
        limit: PAGE,
        after,
      });
      const last = listed.at(-1);
      if (last === undefined) return { moved: 0 };
      const nodes = await renewTexts(listed, embedder, signal);
      const vectors = await embedder.embed(
        nodes.map(({ text }) => text),
        signal,
      );
      const moved = await graph.putVectors(
        nodes.flatMap(({ id, revision }, index) => {
          const values = vectors[index];
          return values === undefined ? [] : [{ id, revision, vector: { spaceId, values } }];
        }),
      );
      return { moved, after: last.id };
    },
    async switchTo(spaceId, begunIn) {
      checkStore(begunIn);
      return graph.switchVectorSpace(spaceId);
    },
    async words({ again = false, after, store: begunIn }, signal) {
      checkStore(begunIn);
      if (after === undefined && !again && (await graph.isWordIndexCurrent())) return { renewed: 0 };
      const end = performance.now() + WORDS_STEP_MS;
      for (let renewed = 0; ;) {
        const page = await graph.renewWords({ after, limit: WORDS_PAGE });
        ({ after } = page);
        renewed += page.renewed;
        if (after === undefined) return { renewed };
        if (performance.now() > end || signal.aborted) return { renewed, after, store };
      }
    },
  };
}

function isSpaceOf(space: VectorSpace | null, { identity }: Embedder): boolean {
  return space?.model === nameOf(identity) && space.dimensions === identity.dimensions;
}

function cannotMove(reason: string): HoldfastError {
  return new HoldfastError('EMBEDDING_MODEL_CHANGED', `Memories cannot be moved: ${reason}`, {
    details: { service: 'embedder', reason },
  });
}
