import type { Embedder, EmbedderIdentity } from '../../../../src/embeddings/embedder';
import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import { createOpenSpaces, identityOf, nameOf } from '../../../../src/memory/vectors/vector-spaces';
import { vectorSpaceChanged } from '../../../../src/stores/memory/errors';
import type { VectorSpace } from '../../../../src/stores/memory/vector-spaces';

const LEXICAL: VectorSpace = { id: 1, model: 'lexical:lexical-1', dimensions: 16 };
const lexical = createLexicalEmbedder(16);

/** A store with the spaces it is given, and embedders that have these models. */
function setUp(first: VectorSpace | null, embedders: readonly Embedder[] = [lexical]) {
  let current = first;
  let asked = 0;
  const pinned: VectorSpace[] = [];
  const same = (one: EmbedderIdentity, other: EmbedderIdentity): boolean =>
    nameOf(one) === nameOf(other) && one.dimensions === other.dimensions;
  const spaces = createOpenSpaces(
    {
      vectorSpaces: () => {
        asked += 1;
        return Promise.resolve({ current, next: null });
      },
      pinVectorSpace: (model, dimensions) => {
        current ??= { id: 1, model, dimensions };
        pinned.push(current);
        return Promise.resolve(current);
      },
    },
    {
      choose: () => Promise.resolve(embedders[0] ?? lexical),
      find: (identity) => embedders.find((embedder) => same(embedder.identity, identity)),
    },
  );
  return {
    spaces,
    pinned,
    asked: () => asked,
    switchTo: (space: VectorSpace) => (current = space),
  };
}

describe('the space that memories are written in', () => {
  it('is pinned to the embedder there is where the store has none', async () => {
    const { spaces, pinned } = setUp(null);
    const { space, embedder } = await spaces.use((open) => Promise.resolve(open));
    expect([space, embedder]).toEqual([LEXICAL, lexical]);
    expect(pinned).toEqual([LEXICAL]);
  });

  it('is that of the store where it has one, and not asked for each time', async () => {
    const { spaces, pinned, asked } = setUp(LEXICAL);
    for (let n = 0; n < 3; n += 1) expect(await spaces.use(({ space }) => Promise.resolve(space.id))).toBe(1);
    expect([pinned, asked()]).toEqual([[], 1]);
  });

  it('is opened anew, once, where it was given up meanwhile', async () => {
    const { spaces, switchTo } = setUp(LEXICAL);
    await spaces.use(() => Promise.resolve());
    switchTo({ ...LEXICAL, id: 2 });
    const tried: number[] = [];
    const result = await spaces.use(({ space }) => {
      tried.push(space.id);
      return space.id === 1 ? Promise.reject(vectorSpaceChanged()) : Promise.resolve('done');
    });
    expect([result, tried]).toEqual(['done', [1, 2]]);
    await expect(spaces.use(() => Promise.reject(vectorSpaceChanged()))).rejects.toMatchObject({
      code: 'VECTOR_SPACE_CHANGED',
    });
  });

  it('of an embedder that there is not is refused with what to do', async () => {
    const { spaces } = setUp({ id: 1, model: 'transformers:Xenova/other:v2', dimensions: 384 });
    const work = jest.fn();
    await expect(spaces.use(work)).rejects.toMatchObject({
      code: 'EMBEDDING_MODEL_CHANGED',
      message: expect.stringMatching(/transformers:Xenova\/other:v2 \(384 dimensions\).*npm run reindex/s),
      details: { service: 'embedder', reason: expect.any(String) },
    });
    expect(work).not.toHaveBeenCalled();
  });

  it('fails with its work, and does not repeat it', async () => {
    const { spaces } = setUp(LEXICAL);
    const work = jest.fn(() => Promise.reject(new Error('no')));
    await expect(spaces.use(work)).rejects.toThrow('no');
    expect(work).toHaveBeenCalledTimes(1);
  });
});

it('the name of a space tells its embedder, whatever the model is called', () => {
  for (const model of ['lexical-1', 'Xenova/all-mpnet-base-v2', 'a:b:c']) {
    const identity: EmbedderIdentity = { provider: 'transformers', model, dimensions: 3 };
    expect(identityOf({ id: 1, model: nameOf(identity), dimensions: 3 })).toEqual(identity);
  }
});
