export { createEmbedders, type Embedders, type EmbedderSettings } from './create-embedders';
export type { Embedder, EmbedderIdentity, EmbedderState } from './embedder';
