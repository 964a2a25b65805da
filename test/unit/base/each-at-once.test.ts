import { setImmediate as nextTurn } from 'node:timers/promises';
import { eachAtOnce } from '../../../src/base/async/each-at-once';

describe('eachAtOnce', () => {
  it('does every item once, no more at a time than it may', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await eachAtOnce([5, 4, 3, 2, 1, 0], 3, async (turns) => {
      most = Math.max(most, (running += 1));
      for (let turn = 0; turn < 5 + turns; turn += 1) await nextTurn();
      running -= 1;
      done.push(turns);
    });
    expect([...done].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(most).toBe(3);
  });

  it('makes an item when its turn has come', async () => {
    let made = 0;
    const items = (function* () {
      for (;;) yield (made += 1);
    })();
    const failure = new Error('enough');
    const work = (item: number): Promise<void> => (item === 4 ? Promise.reject(failure) : nextTurn());
    await expect(eachAtOnce(items, 2, work)).rejects.toBe(failure);
    expect(made).toBeLessThanOrEqual(6);
  });

  it('waits for what is under way before it fails, and begins no other', async () => {
    const ended: string[] = [];
    const begun: string[] = [];
    const work = async (item: string): Promise<void> => {
      begun.push(item);
      if (item === 'bad') throw new Error('bad');
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      ended.push(item);
    };
    await expect(eachAtOnce(['slow', 'bad', 'late'], 2, work)).rejects.toThrow('bad');
    expect([begun, ended]).toEqual([['slow', 'bad'], ['slow']]);
  });

  it('fails where an item cannot be made', async () => {
    const items = (function* (): Generator<number> {
      yield 1;
      throw new Error('no second');
    })();
    await expect(eachAtOnce(items, 1, () => Promise.resolve())).rejects.toThrow('no second');
  });
});
