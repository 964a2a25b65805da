import { join } from 'node:path';
import { compiledEntry } from '../base/compiled-entry';
import { isHoldfastError } from '../base/errors';
import type { Logger } from '../base/logger';
import { createCachedEmbedder } from '../embeddings/cached-embedder';
import type { Embedder, EmbedderIdentity } from '../embeddings/embedder';
import type { EmbedderSettings } from '../embeddings/embedder-settings';
import type { Embedders } from '../embeddings/embedders';
import { createLexicalEmbedder } from '../embeddings/lexical/lexical-embedder';
import { parseModelSource } from '../embeddings/transformers/model-source';
import { TransformersEmbedder } from '../embeddings/transformers/transformers-embedder';

/**
 * Creates the embedders of the settings. They start to load their model, or to download it, in the background. The caller closes
 * them when it is done.
 * @throws HoldfastError `CONFIGURATION` for a model's name that is neither a folder nor a name on the hub
 */
export function createEmbedders(
  settings: EmbedderSettings,
  logger: Pick<Logger, 'info' | 'warn'>,
): Embedders {
  const all = chooseProviders(settings).map((provider) =>
    createCachedEmbedder(createEmbedder(provider, settings, logger), {
      entries: settings.MEMORY_EMBEDDING_CACHE_ENTRIES,
      bytes: settings.MEMORY_EMBEDDING_CACHE_BYTES,
    }),
  );
  let chosen: Embedder | undefined;
  return {
    all,
    async choose(signal) {
      chosen ??= await findUsable(all, logger, signal);
      return chosen;
    },
    find: (identity) => all.find((embedder) => isSame(embedder.identity, identity)),
    async close() {
      await Promise.all(all.map((embedder) => embedder.close()));
    },
  };
}

function chooseProviders({
  MEMORY_EMBEDDING_PROVIDER: provider,
}: EmbedderSettings): readonly EmbedderIdentity['provider'][] {
  return provider === 'auto' ? ['transformers', 'lexical'] : [provider];
}

function createEmbedder(
  provider: EmbedderIdentity['provider'],
  settings: EmbedderSettings,
  logger: Pick<Logger, 'info' | 'warn'>,
): Embedder {
  const dimensions = settings.MEMORY_EMBEDDING_DIMENSIONS;
  if (provider === 'lexical') return createLexicalEmbedder(dimensions);
  const downloads = join(settings.DATA_DIR, 'models');
  return new TransformersEmbedder({
    source: parseModelSource(settings.MEMORY_EMBEDDING_MODEL, downloads),
    dimensions,
    hubUrl: settings.MEMORY_EMBEDDING_HUB_URL,
    downloads,
    maxDownloadBytes: settings.MEMORY_EMBEDDING_MAX_BYTES,
    entry: compiledEntry('src/embeddings/transformers/entry'),
    logger,
  });
}

async function findUsable(
  all: readonly Embedder[],
  logger: Pick<Logger, 'warn'>,
  signal?: AbortSignal,
): Promise<Embedder> {
  for (const [at, embedder] of all.entries()) {
    const fallback = all[at + 1];
    try {
      await embedder.ready(signal);
      return embedder;
    } catch (error) {
      const status = embedder.status();
      const isUnavailable = isHoldfastError(error) && error.code === 'EMBEDDER_UNAVAILABLE';
      if (fallback === undefined || !isUnavailable || status.state !== 'failed') throw error;
      logger.warn(
        { reason: status.reason, fallback: fallback.identity },
        'NO EMBEDDING MODEL: memories are found by their words and not by their meaning until one can be loaded (see docs/operators/embeddings.md)',
      );
    }
  }
  throw new Error('there is no embedder');
}

function isSame(left: EmbedderIdentity, right: EmbedderIdentity): boolean {
  return (
    left.provider === right.provider && left.model === right.model && left.dimensions === right.dimensions
  );
}
