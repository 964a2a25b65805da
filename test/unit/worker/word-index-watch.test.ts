import type { MemorySystem } from '../../../src/memory/create-memory-system';
import { watchWordIndex } from '../../../worker/word-index-watch';

const { signal } = new AbortController();

function watch(startsRun: boolean, isWordIndexCurrent: () => Promise<boolean>) {
  const openStores = () => Promise.resolve({ graph: { isWordIndexCurrent } });
  const start = jest.fn((_run: { readonly input: unknown }) => Promise.resolve(true));
  const logged: string[] = [];
  const note = (first: unknown, message?: string): void => void logged.push(message ?? String(first));
  const chore = watchWordIndex({
    memory: { openStores } as unknown as Pick<MemorySystem, 'openStores'>,
    start,
    startsRun,
    logger: { info: note, warn: note } as never,
  });
  return { chore, start, logged };
}

test('words of another version are indexed again by a run, where the process is the whole service', async () => {
  const { chore, start, logged } = watch(true, () => Promise.resolve(false));
  await chore.run(signal);
  expect(start.mock.calls.map(([{ input }]) => input)).toEqual([{ wordsOnly: true }]);
  expect(logged).toEqual([expect.stringMatching(/by a run$/)]);
});

test('a separate worker logs the command once', async () => {
  const { chore, start, logged } = watch(false, () => Promise.resolve(false));
  await chore.run(signal);
  await chore.run(signal);
  expect(start).not.toHaveBeenCalled();
  expect(logged).toEqual([expect.stringMatching(/^npm run reindex/)]);
});

test('nothing is done where all words are of this version', async () => {
  const { chore, start, logged } = watch(true, () => Promise.resolve(true));
  await chore.run(signal);
  expect([start.mock.calls, logged]).toEqual([[], []]);
});

test('a store that cannot be asked is logged, unless the process stops', async () => {
  const { chore, logged } = watch(true, () => Promise.reject(new Error('no store')));
  await chore.run(AbortSignal.abort());
  expect(logged).toEqual([]);
  await chore.run(signal);
  expect(logged).toHaveLength(1);
});
