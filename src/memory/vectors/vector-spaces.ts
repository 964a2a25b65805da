import type { Embedder, EmbedderIdentity } from '../../embeddings/embedder';
import type { Embedders } from '../../embeddings/embedders';
import { HoldfastError, isHoldfastError } from '../../base/errors';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { VectorSpace } from '../../stores/memory/vector-spaces';

/** The space in which memories are written and searched now, and the embedder of its vectors. */
export interface OpenSpace {
  readonly space: VectorSpace;
  readonly embedder: Embedder;
}

export interface OpenSpaces {
  /**
   * Runs `work` with the current space, and once more if another space has replaced it meanwhile. A store that has
   * no space yet is pinned to the embedder that can be used now.
   * @throws HoldfastError `EMBEDDING_MODEL_CHANGED` if the store is pinned to an embedder that the settings do not
   * name; what the embedder and `work` throw
   */
  use<T>(work: (open: OpenSpace) => Promise<T>): Promise<T>;
}

/**
 * How long a known space is used without reading the spaces again, milliseconds: a search in a replaced space finds
 * nothing.
 */
const KNOWN_FOR_MS = 500;

export function createOpenSpaces(
  graph: Pick<MemoryGraph, 'vectorSpaces' | 'pinVectorSpace'>,
  embedders: Pick<Embedders, 'choose' | 'find'>,
): OpenSpaces {
  let known: { readonly open: OpenSpace; readonly until: number } | undefined;

  async function open(): Promise<OpenSpace> {
    if (known !== undefined && performance.now() < known.until) return known.open;
    const { current } = await graph.vectorSpaces();
    const space = current ?? (await pin());
    const embedder = embedders.find(identityOf(space));
    if (embedder === undefined) throw modelChanged(space);
    known = { open: { space, embedder }, until: performance.now() + KNOWN_FOR_MS };
    return known.open;
  }

  async function pin(): Promise<VectorSpace> {
    const { identity } = await embedders.choose();
    return graph.pinVectorSpace(nameOf(identity), identity.dimensions);
  }

  return {
    async use(work) {
      try {
        return await work(await open());
      } catch (error) {
        if (!isHoldfastError(error) || error.code !== 'VECTOR_SPACE_CHANGED') throw error;
        known = undefined;
        return work(await open());
      }
    },
  };
}

/** The name of an embedder in a space. Pure. */
export function nameOf({ provider, model }: EmbedderIdentity): string {
  return `${provider}:${model}`;
}

/** Pure. */
export function identityOf({ model: name, dimensions }: VectorSpace): EmbedderIdentity {
  const [provider = '', ...rest] = name.split(':');
  return { provider: provider as EmbedderIdentity['provider'], model: rest.join(':'), dimensions };
}

function modelChanged({ model, dimensions }: VectorSpace): HoldfastError {
  const reason =
    `the memories were embedded by ${model} (${dimensions} dimensions), which MEMORY_EMBEDDING_MODEL, _PROVIDER and ` +
    '_DIMENSIONS do not name: set them back, or move the memories over by POST /api/memory/reindex or npm run reindex';
  return new HoldfastError('EMBEDDING_MODEL_CHANGED', `The embedding model was changed: ${reason}`, {
    details: { service: 'embedder', reason },
  });
}
