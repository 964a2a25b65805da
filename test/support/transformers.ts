import { compiledEntry } from '../../src/base/compiled-entry';
import { parseModelSource } from '../../src/embeddings/transformers/model-source';
import {
  TransformersEmbedder,
  type TransformersOptions,
} from '../../src/embeddings/transformers/transformers-embedder';

const quiet = (): void => undefined;

/** An embedder of a model in a folder, or on a hub when `options.source` says so. */
export function transformersOf(
  folder: string,
  options: Partial<TransformersOptions> = {},
): TransformersEmbedder {
  return new TransformersEmbedder({
    source: parseModelSource(folder, folder),
    dimensions: 768,
    hubUrl: 'http://127.0.0.1:9',
    downloads: folder,
    maxDownloadBytes: 1_073_741_824,
    entry: compiledEntry('src/embeddings/transformers/entry'),
    logger: { info: quiet, warn: quiet },
    ...options,
  });
}
