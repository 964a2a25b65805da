import { openTurns } from '../../support/shared-services';

/** A use that a test ends. */
function use(): { readonly over: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const over = new Promise<void>((settle) => (end = settle));
  return { over, end };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one caller has each service at a time, and the next has the same one', async () => {
  let started = 0;
  const turns = openTurns(1, async (name: string) => `${name} ${(started += 1)}`);
  const [first, second] = [use(), use()];
  const got: string[] = [];
  const take = (key: string, { over }: typeof first): void =>
    void turns.take(key, key, over).then((service) => got.push(service));
  take('a', first);
  take('a', second);
  take('b', use());
  await settled();
  expect(got).toEqual(['a 1', 'b 2']);

  first.end();
  await settled();
  expect(got).toEqual(['a 1', 'b 2', 'a 1']);

  second.end();
  await settled();
  take('a', use());
  await settled();
  expect([started, got.at(-1)]).toEqual([2, 'a 1']);
});

test('up to the maximum, another one is started for a caller that would wait', async () => {
  let started = 0;
  const turns = openTurns(2, async () => (started += 1));
  const got = await Promise.all([use(), use()].map(({ over }) => turns.take('a', undefined, over)));
  expect(got).toEqual([1, 2]);
});

test('each caller is refused where the start fails', async () => {
  const turns = openTurns(1, async () => {
    throw new Error('no room');
  });
  const first = use();
  await expect(turns.take('a', undefined, first.over)).rejects.toThrow('no room');
  first.end();
  await settled();
  await expect(turns.take('a', undefined, use().over)).rejects.toThrow('no room');
});
