import type { Config } from '../settings/config';

/** The settings on which the embedders depend. */
export const EMBEDDER_SETTINGS = [
  'DATA_DIR',
  'MEMORY_EMBEDDING_PROVIDER',
  'MEMORY_EMBEDDING_MODEL',
  'MEMORY_EMBEDDING_DIMENSIONS',
  'MEMORY_EMBEDDING_HUB_URL',
  'MEMORY_EMBEDDING_MAX_BYTES',
  'MEMORY_EMBEDDING_CACHE_ENTRIES',
  'MEMORY_EMBEDDING_CACHE_BYTES',
] as const satisfies readonly (keyof Config)[];

export type EmbedderSettings = Pick<Config, (typeof EMBEDDER_SETTINGS)[number]>;
