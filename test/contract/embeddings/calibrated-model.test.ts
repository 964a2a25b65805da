import { cosine } from '../../../src/embeddings/vectors';
import { near, related, unrelated } from '../../embeddings/meaning.json';
import { realModel } from '../../support/embedding-models';
import { transformersOf } from '../../support/transformers';

const miniLm = realModel('all-MiniLM-L6-v2');

if (miniLm === undefined) {
  test.skip('relevance by all-MiniLM-L6-v2: HOLDFAST_TEST_MODELS names no folder that holds it', () =>
    undefined);
} else {
  describe('relevance by all-MiniLM-L6-v2, on pairs it is not fitted to', () => {
    const embedder = transformersOf(miniLm, { dimensions: 384 });
    afterAll(() => embedder.close());

    /** The share of the pairs with at least this relevance, 0 to 1. */
    async function shareOf(pairs: readonly string[][], least: number): Promise<number> {
      const passing = await Promise.all(
        pairs.map(async ([query = '', memory = '']) => {
          const [left, right] = await embedder.embed([query, memory]);
          return embedder.relevance(cosine(left!, right!)) >= least;
        }),
      );
      return passing.filter(Boolean).length / pairs.length;
    }

    test('most memories that answer a query are relevant', async () => {
      expect(await shareOf(related, 0.7)).toBeGreaterThanOrEqual(0.8);
    });

    test('next to none of the others is', async () => {
      expect(await shareOf(unrelated, 0.7)).toBeLessThanOrEqual(0.04);
      expect(await shareOf(unrelated, 0.3)).toBeLessThanOrEqual(0.1);
    });

    test('of those that are only about the same person or thing, less than half are', async () => {
      expect(await shareOf(near, 0.7)).toBeLessThan(0.5);
    });
  });
}
