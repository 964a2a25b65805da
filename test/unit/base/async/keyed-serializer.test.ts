import { createKeyedSerializer } from '../../../../src/base/async/keyed-serializer';

/** An action that the test ends. */
function held() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

test('actions of a key begin in the order of the calls, each when the one before has ended', async () => {
  const serialize = createKeyedSerializer();
  const begun: string[] = [];
  const first = held();
  const all = ['a', 'b', 'c'].map((name) =>
    serialize('key', async () => {
      begun.push(name);
      if (name === 'a') await first.ended;
      return name;
    }),
  );
  await serialize('another', () => Promise.resolve());
  expect(begun).toEqual(['a']);
  first.end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('where one fails those that wait behind it fail with it, and later ones begin anew', async () => {
  const serialize = createKeyedSerializer();
  const first = held();
  const failing = serialize('key', async () => {
    await first.ended;
    throw new Error('no store');
  });
  const waiting = serialize('key', () => Promise.resolve('not reached'));
  const both = Promise.allSettled([failing, waiting]);
  first.end();
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(waiting).rejects.toThrow('no store');
  expect(await serialize('key', () => Promise.resolve('done'))).toBe('done');
});
