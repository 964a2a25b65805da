import { coverageBy } from '../../src/embeddings/lexical/coverage';
import type { Embedder } from '../../src/embeddings/embedder';
import { cosine } from '../../src/embeddings/vectors';

const TEXTS = [
  'The night train leaves Vienna at ten.',
  'lilies',
  '東京の天気',
  '',
  'lilies',
  '🙂',
  `A long one: ${'the deadline of the project was moved to March. '.repeat(60)}`,
];

/** What every embedder has to do. `open` creates one; the suite closes it. */
export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  describe(name, () => {
    let embedder: Embedder;

    beforeAll(async () => {
      embedder = await open();
      await embedder.ready();
    });

    afterAll(() => embedder.close());

    test('one vector a text, of unit length and as long as the identity says', async () => {
      const vectors = await embedder.embed(TEXTS);
      expect(vectors).toHaveLength(TEXTS.length);
      for (const vector of vectors) {
        expect(ArrayBuffer.isView(vector)).toBe(true);
        expect(vector).toHaveLength(embedder.identity.dimensions);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }
    });

    test('the same text has the same vector, alone and among others, in the order of the texts', async () => {
      const together = await embedder.embed(TEXTS);
      expect(together[4]).toEqual(together[1]);
      for (const [at, text] of TEXTS.entries()) expect(await embedder.embed([text])).toEqual([together[at]]);
      const [first, second] = together;
      expect(cosine(first!, second!)).toBeLessThan(0.99);
    });

    test('no text, no vector', async () => {
      expect(await embedder.embed([])).toEqual([]);
    });

    test('requests at the same time do not mix', async () => {
      const alone = await embedder.embed(TEXTS);
      const answers = await Promise.all(
        TEXTS.map((text, at) => embedder.embed([text, TEXTS[at - 1] ?? text])),
      );
      expect(answers.map(([vector]) => vector)).toEqual(alone);
    });

    test('relevance is between 0 and 1 and rises with the cosine', () => {
      const cosines = [-1, -0.3, 0, 0.2, 0.4, 0.6, 0.8, 1];
      const values = cosines.map((value) => embedder.similarity(value));
      expect([...values].sort((left, right) => left - right)).toEqual(values);
      const relevances = cosines.map((value) =>
        embedder.relevance(value, coverageBy('night train')('a train to Vienna')),
      );
      for (const value of [...values, ...relevances]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    });

    test('an aborted request is rejected with the reason, and harms no other', async () => {
      await expect(embedder.embed(['a'], AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
      const controller = new AbortController();
      const texts = Array.from({ length: 500 }, (_, at) => `memory number ${at} of this request`);
      const aborted = embedder.embed(texts, controller.signal);
      const other = embedder.embed(['lilies']);
      controller.abort(new Error('gone too'));
      await expect(aborted).rejects.toThrow('gone too');
      expect(await other).toEqual(await embedder.embed(['lilies']));
    });

    test('it is ready', () => {
      expect(embedder.status()).toEqual({ state: 'ready' });
    });
  });
}
