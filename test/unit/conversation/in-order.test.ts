import { createOrder } from '../../../src/conversation/in-order';

/** An action that a test ends. */
function held() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

test('actions of a key begin in the order of the calls, each when the one before has ended', async () => {
  const inOrder = createOrder();
  const begun: string[] = [];
  const first = held();
  const all = ['a', 'b', 'c'].map((name) =>
    inOrder('key', async () => {
      begun.push(name);
      if (name === 'a') await first.ended;
      return name;
    }),
  );
  await inOrder('another', () => Promise.resolve());
  expect(begun).toEqual(['a']);
  first.end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('where one fails those that wait behind it fail with it, and later ones begin anew', async () => {
  const inOrder = createOrder();
  const first = held();
  const failing = inOrder('key', async () => {
    await first.ended;
    throw new Error('no store');
  });
  const waiting = inOrder('key', () => Promise.resolve('not reached'));
  const both = Promise.allSettled([failing, waiting]);
  first.end();
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(waiting).rejects.toThrow('no store');
  expect(await inOrder('key', () => Promise.resolve('done'))).toBe('done');
});
