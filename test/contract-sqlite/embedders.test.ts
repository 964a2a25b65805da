import { join } from 'node:path';
import { createCachedEmbedder } from '../../src/embeddings/cached-embedder';
import { createLexicalEmbedder } from '../../src/embeddings/lexical/lexical-embedder';
import { realModel } from '../support/embedding-models';
import { makeTempDir } from '../support/temp-dir';
import { writeTinyModel } from '../support/tiny-model';
import { transformersOf } from '../support/transformers';
import { describeEmbedder } from '../contract/embedder';

const dir = makeTempDir();
afterAll(() => dir.remove());

describeEmbedder('lexical', async () => createLexicalEmbedder(768));

describeEmbedder('transformers', async () => transformersOf(writeTinyModel(join(dir.path, 'tiny')).folder));

describeEmbedder('cached', async () =>
  createCachedEmbedder(createLexicalEmbedder(768), { entries: 3, bytes: 1_000_000 }),
);

const miniLm = realModel('all-MiniLM-L6-v2');
if (miniLm === undefined) {
  test.skip('transformers with all-MiniLM-L6-v2: HOLDFAST_TEST_MODELS names no folder that holds it', () =>
    undefined);
} else {
  describeEmbedder('transformers with all-MiniLM-L6-v2', async () =>
    transformersOf(miniLm, { dimensions: 384 }),
  );
}
