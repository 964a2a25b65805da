import { createCachedEmbedder } from '../../../src/embeddings/cached-embedder';
import type { Embedder } from '../../../src/embeddings/embedder';
import { createLexicalEmbedder } from '../../../src/embeddings/lexical/lexical-embedder';

const DIMENSIONS = 16;
const VECTOR_BYTES = DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
const roomy = { entries: 100, bytes: 1_000_000 };

/** An embedder that records the texts it gets, and answers when the test allows it. */
function recorder(limits = roomy) {
  const asked: (readonly string[])[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  let gate: Promise<void> = Promise.resolve();
  const inner: Embedder = {
    ...createLexicalEmbedder(DIMENSIONS),
    async embed(texts, signal) {
      asked.push(texts);
      signals.push(signal);
      await gate;
      return createLexicalEmbedder(DIMENSIONS).embed(texts);
    },
  };
  const hold = (): PromiseWithResolvers => {
    let resolve!: () => void;
    let reject!: (error: Error) => void;
    gate = new Promise((yes, no) => ([resolve, reject] = [yes, no]));
    return { resolve, reject };
  };
  return { asked, signals, hold, cached: createCachedEmbedder(inner, limits) };
}

interface PromiseWithResolvers {
  resolve(): void;
  reject(error: Error): void;
}

test('a text is embedded once, and the order of the texts is kept', async () => {
  const { asked, cached } = recorder();
  const [b] = await cached.embed(['beta']);
  const vectors = await cached.embed(['alpha', 'beta', 'alpha', 'gamma']);
  expect(asked).toEqual([['beta'], ['alpha', 'gamma']]);
  expect(vectors[1]).toBe(b);
  expect(vectors).toEqual(await createLexicalEmbedder(DIMENSIONS).embed(['alpha', 'beta', 'alpha', 'gamma']));
});

test('a text that is being embedded is waited for and not asked for again', async () => {
  const { asked, hold, cached } = recorder();
  const gate = hold();
  const first = cached.embed(['alpha', 'beta']);
  const second = cached.embed(['beta', 'gamma']);
  expect(asked).toEqual([['alpha', 'beta'], ['gamma']]);
  gate.resolve();
  expect((await second)[0]).toBe((await first)[1]);
});

test('work goes on until the last who waits is aborted', async () => {
  const { signals, hold, cached } = recorder();
  hold();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = cached.embed(['alpha'], one.signal);
  const second = cached.embed(['alpha'], two.signal);
  one.abort(new Error('first gone'));
  await expect(first).rejects.toThrow('first gone');
  expect(signals[0]!.aborted).toBe(false);
  two.abort(new Error('second gone'));
  await expect(second).rejects.toThrow('second gone');
  expect(signals[0]!.aborted).toBe(true);
});

test('what was given up, or failed, is asked for anew', async () => {
  const { asked, hold, cached } = recorder();
  hold();
  const controller = new AbortController();
  const aborted = cached.embed(['alpha'], controller.signal);
  controller.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  const gate = hold();
  const failed = cached.embed(['alpha']);
  gate.reject(new Error('crashed'));
  await expect(failed).rejects.toThrow('crashed');
  hold().resolve();
  await expect(cached.embed(['alpha'])).resolves.toHaveLength(1);
  expect(asked).toEqual([['alpha'], ['alpha'], ['alpha']]);
});

test.each([
  ['entries', { entries: 2, bytes: 1_000_000 }],
  // The size includes the 44 characters of its key, of two bytes each.
  ['bytes', { entries: 100, bytes: 2 * (VECTOR_BYTES + 88) }],
])('the least recently used text goes when there are too many %s', async (_, limits) => {
  const { asked, cached } = recorder(limits);
  await cached.embed(['a']);
  await cached.embed(['b']);
  await cached.embed(['a']);
  await cached.embed(['c']);
  await cached.embed(['a']);
  await cached.embed(['b']);
  expect(asked).toEqual([['a'], ['b'], ['c'], ['b']]);
});

test('a text too large for the cache is embedded all the same', async () => {
  const { asked, cached } = recorder({ entries: 100, bytes: VECTOR_BYTES });
  await cached.embed(['alpha']);
  expect(await cached.embed(['alpha'])).toHaveLength(1);
  expect(asked).toHaveLength(2);
});

test('an aborted signal asks for nothing', async () => {
  const { asked, cached } = recorder();
  await expect(cached.embed(['alpha'], AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(asked).toEqual([]);
});
