import type { EmbedderIdentity, EmbedderState } from '../../embeddings/embedder';
import type { Embedders } from '../../embeddings/embedders';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import { identityOf } from './vector-spaces';

/** Which embedder memories are found by, and which one the settings prefer. */
export interface EmbedderView {
  /** That of the stored vectors; if there are none yet, the one that the first memory would get now. */
  readonly inUse: EmbedderIdentity;
  /** Undefined if the settings do not name the embedder of the stored vectors. */
  readonly state: EmbedderState | undefined;
  /** Present if the settings prefer another embedder. */
  readonly preferred?: { readonly identity: EmbedderIdentity; readonly state: EmbedderState };
  /** Whether stored memories have vectors of the fallback while the preferred embedder can be used. */
  readonly canMove: boolean;
}

/** Reads which embedder is in use. It changes nothing. @throws HoldfastError `STORE_UNAVAILABLE` (retryable) */
export async function readEmbedderView({
  graph,
  embedders,
}: {
  readonly graph: Pick<MemoryGraph, 'vectorSpaces'>;
  readonly embedders: Pick<Embedders, 'all' | 'find'>;
}): Promise<EmbedderView | undefined> {
  const { current } = await graph.vectorSpaces();
  const [preferred] = embedders.all;
  if (preferred === undefined) return undefined;
  const usable = embedders.all.find((each) => each.status().state !== 'failed') ?? preferred;
  const usedEmbedder = current === null ? usable : embedders.find(identityOf(current));
  const inUse = current === null ? usable.identity : identityOf(current);
  const state = usedEmbedder?.status();
  if (usedEmbedder === preferred) return { inUse, state, canMove: false };
  const better = { identity: preferred.identity, state: preferred.status() };
  const canMove = current !== null && usedEmbedder !== undefined && better.state.state === 'ready';
  return { inUse, state, preferred: better, canMove };
}

/** What an embedder finds memories by. Pure. */
export function findsBy({ provider }: EmbedderIdentity): 'meaning' | 'words' {
  return provider === 'lexical' ? 'words' : 'meaning';
}

/** Says in a sentence or two how memories are found, and what another embedder would give. Pure. */
export function describeEmbedders({ inUse, state, preferred, canMove }: EmbedderView): string {
  const how =
    findsBy(inUse) === 'meaning'
      ? `Memories are found by their meaning, by the model ${inUse.model}`
      : 'Memories are found by their words, without a model: "pet" does not find "kitten"';
  const ownState = describeState(state, inUse);
  const sentence = `${how}${ownState === '' ? '' : `, which ${ownState}`}.`;
  if (preferred === undefined) return sentence;
  const { model } = preferred.identity;
  const gain =
    findsBy(preferred.identity) === 'meaning' ? ` would find them by their meaning` : ' is preferred';
  const reason = describeState(preferred.state, preferred.identity);
  if (state === undefined || canMove || reason === '')
    return `${sentence} The model ${model}${gain}: npm run reindex moves them to it.`;
  return `${sentence} The model ${model}${gain}, but ${reason}; docs/operators/embeddings.md says how to have one.`;
}

/** Says why an embedder cannot be used now; empty if it can. */
function describeState(state: EmbedderState | undefined, { model }: EmbedderIdentity): string {
  if (state === undefined) return 'the settings do not name';
  switch (state.state) {
    case 'ready':
      return '';
    case 'loading':
      return state.progress === undefined
        ? 'is being loaded'
        : `is being downloaded (${Math.floor(state.progress * 100)} %)`;
    case 'failed':
      return `cannot be used: ${state.reason.replace(`The embedding model ${model} cannot be used: `, '')}`;
  }
}
