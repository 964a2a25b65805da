import type { Embedder, EmbedderState } from '../../../../src/embeddings/embedder';
import { describeEmbedders, readEmbedderView } from '../../../../src/memory/vectors/embedder-view';
import { nameOf } from '../../../../src/memory/vectors/vector-spaces';

const MODEL = { provider: 'transformers', model: 'mini', dimensions: 3 } as const;
const LEXICAL = { provider: 'lexical', model: 'lexical-1', dimensions: 3 } as const;
const READY: EmbedderState = { state: 'ready' };
const FAILED: EmbedderState = {
  state: 'failed',
  reason: 'The embedding model mini cannot be used: there is no folder',
};

type Identity = typeof MODEL | typeof LEXICAL;
const embedder = (identity: Identity, state: EmbedderState) =>
  ({ identity, status: () => state }) as unknown as Embedder;

/** @param pinned whose vectors are stored */
async function viewOf(pinned: Identity | undefined, ...all: readonly Embedder[]) {
  const current =
    pinned === undefined ? null : { id: 1, model: nameOf(pinned), dimensions: pinned.dimensions };
  const view = await readEmbedderView({
    graph: { vectorSpaces: () => Promise.resolve({ current, next: null }) },
    embedders: { all, find: ({ model }) => all.find(({ identity }) => identity.model === model) },
  });
  return { ...view!, text: describeEmbedders(view!) };
}

const auto = (model: EmbedderState) => [embedder(MODEL, model), embedder(LEXICAL, READY)] as const;

test('a model that is in use is preferred to nothing', async () => {
  const view = await viewOf(MODEL, ...auto(READY));
  expect(view).toMatchObject({
    inUse: MODEL,
    canMove: false,
    text: expect.stringMatching(/meaning, by.* mini\.$/),
  });
  expect(view.preferred).toBeUndefined();
});

test('without stored vectors it is the one that the first memory would get', async () => {
  expect((await viewOf(undefined, ...auto(READY))).inUse).toEqual(MODEL);
  const words = await viewOf(undefined, ...auto(FAILED));
  expect(words).toMatchObject({ inUse: LEXICAL, canMove: false });
  expect(words.text).toMatch(
    /by their words.*mini would find them by their meaning, but cannot be used: there is no folder;/,
  );
  expect(words.text).not.toContain('reindex');
});

test('memories may be moved from the fallback to a model that can be used', async () => {
  expect(await viewOf(LEXICAL, ...auto(READY))).toMatchObject({
    canMove: true,
    text: expect.stringMatching(/npm run reindex moves them/),
  });
  expect((await viewOf(LEXICAL, ...auto(FAILED))).canMove).toBe(false);
  expect((await viewOf(LEXICAL, embedder(LEXICAL, READY))).canMove).toBe(false);
});

test('not from an embedder that the settings do not name, which an operator may set back', async () => {
  const view = await viewOf(LEXICAL, embedder(MODEL, READY));
  expect(view).toMatchObject({ state: undefined, canMove: false });
  expect(view.text).toMatch(/which the settings do not name\. .*npm run reindex/);
});

test.each([
  [{ state: 'loading' } as const, /is being loaded/],
  [{ state: 'loading', progress: 0.419 } as const, /is being downloaded \(41 %\)/],
])('a model that is %j', async (state, expected) => {
  expect((await viewOf(MODEL, ...auto(state))).text).toMatch(expected);
});
