import { CancelledFailure } from '@temporalio/common';
import { forEachItem, ItemAllowance } from '../../../../workflows/custom/for-each';

interface Turn {
  readonly index: number;
  end(value: string): void;
  fail(reason: Error): void;
}

/** Work whose items end when the test says so. */
function heldWork() {
  const turns: Turn[] = [];
  const work = (_item: unknown, index: number): Promise<string> =>
    new Promise((end, fail) => turns.push({ index, end, fail }));
  return { turns, work };
}

/** Waits until everything that can continue has done so. */
const settleAll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const items = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('results stand in the order of the items, whatever ends first', async () => {
  const { turns, work } = heldWork();
  const all = forEachItem(items(3), { concurrency: 3, continuesAfter: () => false }, work);
  for (const turn of [...turns].reverse()) turn.end(`item ${turn.index}`);
  expect(await all).toEqual(items(3).map((index) => ({ status: 'fulfilled', value: `item ${index}` })));
});

test('no more than the bound are worked on at once, and they begin in order', async () => {
  const { turns, work } = heldWork();
  const all = forEachItem(items(7), { concurrency: 3, continuesAfter: () => false }, work);
  expect(turns.map(({ index }) => index)).toEqual([0, 1, 2]);
  turns[1]?.end('');
  await settleAll();
  expect(turns.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  for (let ended = 0; ended < 7; ended += 1) {
    turns[ended]?.end('');
    await settleAll();
    expect(turns.length - Math.max(2, ended + 1)).toBeLessThanOrEqual(3);
  }
  expect(await all).toHaveLength(7);
});

test('the first failure ends it: no further item begins', async () => {
  const { turns, work } = heldWork();
  const all = forEachItem(items(5), { concurrency: 2, continuesAfter: () => false }, work);
  turns[0]?.fail(new Error('first'));
  await expect(all).rejects.toThrow('first');
  turns[1]?.end('late');
  await settleAll();
  expect(turns).toHaveLength(2);
});

test('work that throws before it waits fails its item alone where all are to be settled', async () => {
  const settled = await forEachItem(
    items(3),
    { concurrency: 2, continuesAfter: () => true },
    (_item, index) => {
      if (index === 1) throw new Error('no');
      return Promise.resolve(index);
    },
  );
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('items that failed before are not among those that were completed', async () => {
  const end = new Error('the end');
  const all = forEachItem(
    items(4),
    { concurrency: 1, continuesAfter: (reason) => reason !== end },
    (_item, index) =>
      index === 0
        ? Promise.reject(new Error('no'))
        : index < 3
          ? Promise.resolve(index)
          : Promise.reject(end),
  );
  await expect(all).rejects.toMatchObject({ index: 3, completed: [1, 2] });
});

test('a cancellation ends it even where all are to be settled', async () => {
  const { turns, work } = heldWork();
  const all = forEachItem(items(5), { concurrency: 2, continuesAfter: () => true }, work);
  turns[0]?.fail(new CancelledFailure('cancelled'));
  await expect(all).rejects.toThrow(CancelledFailure);
  turns[1]?.end('late');
  await settleAll();
  expect(turns).toHaveLength(2);
});

test('an empty list is done at once', async () => {
  const never = (): Promise<never> => Promise.reject(new Error('not to be called'));
  expect(await forEachItem([], { concurrency: 5, continuesAfter: () => false }, never)).toEqual([]);
});

describe('the allowance of a run', () => {
  test('is a thousand items for all its steps together', () => {
    const allowance = new ItemAllowance();
    expect(allowance.take(items(600))).toHaveLength(600);
    expect(allowance.take(items(400))).toHaveLength(400);
    expect(() => allowance.take(items(1))).toThrow(
      'with these 1 items the run would have 1001; at most 1000 are allowed',
    );
  });

  test.each([
    [null, 'null'],
    ['text', 'string'],
    [{ a: 1 }, 'object'],
    [undefined, 'undefined'],
  ])('takes no %p for a list', (value, kind) => {
    expect(() => new ItemAllowance().take(value)).toThrow(`a list is needed, it is of type ${kind}`);
  });
});
