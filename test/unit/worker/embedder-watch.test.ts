import type { EmbedderState } from '../../../src/embeddings/embedder';
import type { MemorySystem } from '../../../src/memory/create-memory-system';
import { watchEmbedder } from '../../../worker/embedder-watch';

const MODEL = { provider: 'transformers', model: 'mini', dimensions: 3 };
const LEXICAL = { provider: 'lexical', model: 'lexical-1', dimensions: 3 };
const READY: EmbedderState = { state: 'ready' };
const FAILED: EmbedderState = { state: 'failed', reason: 'there is no folder' };

/** A watch of memories with vectors of the fallback. @param first the state of the model until `become` sets another one */
function watch(movesMemories: boolean, first: EmbedderState) {
  let state = first;
  const status = (): EmbedderState => state;
  const ready = jest.fn(() => Promise.reject(new Error('not yet')));
  const all = [
    { identity: MODEL, status, ready },
    { identity: LEXICAL, status: () => READY },
  ];
  const memory = {
    graph: {
      vectorSpaces: () =>
        Promise.resolve({ current: { id: 1, model: 'lexical:lexical-1', dimensions: 3 }, next: null }),
    },
    embedders: { all, find: () => all[1] },
  };
  const start = jest.fn((_run: { readonly workflowType: string }) => Promise.resolve(true));
  const logged: string[] = [];
  const note = (first: unknown, message?: string): void => void logged.push(message ?? String(first));
  const watched = watchEmbedder({
    memory: { openStores: () => Promise.resolve(memory) } as unknown as Pick<MemorySystem, 'openStores'>,
    start,
    movesMemories,
    logger: { info: note, warn: note } as never,
  });
  return { ...watched, start, logged, ready, become: (next: EmbedderState) => void (state = next) };
}

const { signal } = new AbortController();

test('a service that is one process moves memories to a model that can be used', async () => {
  const { announce, start, logged } = watch(true, READY);
  await announce(signal);
  expect(start.mock.calls.map(([run]) => run.workflowType)).toEqual(['reindexMemories']);
  expect(logged).toEqual(['memories are moved to the embedding model, by a run']);
});

test('a separate worker logs the command', async () => {
  const { announce, start, logged } = watch(false, READY);
  await announce(signal);
  expect(start).not.toHaveBeenCalled();
  expect(logged).toEqual([expect.stringMatching(/by their words.*npm run reindex/)]);
});

test('a model that is being loaded is waited for', async () => {
  const { announce, logged, become } = watch(false, { state: 'loading' });
  const announced = announce(signal);
  await new Promise((resolve) => setImmediate(resolve));
  become(FAILED);
  await announced;
  expect(logged).toEqual([expect.stringMatching(/would find them by their meaning, but cannot be used/)]);
});

test('one that could not be used is tried again, and the same is logged once', async () => {
  const { announce, chore, start, logged, ready, become } = watch(true, FAILED);
  await announce(signal);
  await chore.run(signal);
  expect(ready).toHaveBeenCalledTimes(1);
  expect([logged.length, start.mock.calls.length]).toEqual([1, 0]);
  become(READY);
  await chore.run(signal);
  expect(start).toHaveBeenCalledTimes(1);
});

test('a wait that is stopped logs nothing', async () => {
  const { announce, logged } = watch(true, { state: 'loading' });
  await announce(AbortSignal.abort());
  expect(logged).toEqual([]);
});
