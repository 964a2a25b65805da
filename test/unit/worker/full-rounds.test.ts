import { runFullRounds } from '../../../worker/statistics-chores';

const { signal } = new AbortController();
const full = 5;

function script(...results: number[]) {
  return jest.fn(() => {
    const result = results.shift();
    if (result === undefined) throw new Error('one round too many');
    return Promise.resolve(result);
  });
}

describe('rounds of removing', () => {
  it('are one where that was enough', async () => {
    const round = script(2);
    expect(await runFullRounds({ round, full, pauseMs: 1 }, signal)).toBe(2);
  });

  it('go on while they are full', async () => {
    const round = script(5, 5, 5, 2);
    expect(await runFullRounds({ round, full, pauseMs: 1 }, signal)).toBe(17);
    expect(round).toHaveBeenCalledTimes(4);
  });

  it('are as far apart as the one before took', async () => {
    const times: { began: number; ended: number }[] = [];
    const round = async () => {
      const began = performance.now();
      while (performance.now() - began < 30) await new Promise((done) => setImmediate(done));
      times.push({ began, ended: performance.now() });
      return times.length < 3 ? full : 2;
    };
    await runFullRounds({ round, full, pauseMs: 1 }, signal);
    for (const [index, { began }] of times.entries()) {
      const before = times[index - 1];
      // A timer may fire a millisecond early.
      if (before) expect(began - before.ended).toBeGreaterThanOrEqual(before.ended - before.began - 2);
    }
  });

  it('end with the worker', async () => {
    const stopping = new AbortController();
    const round = jest.fn(() => {
      stopping.abort();
      return Promise.resolve(full);
    });
    expect(await runFullRounds({ round, full, pauseMs: 60_000 }, stopping.signal)).toBe(5);
    expect(round).toHaveBeenCalledTimes(1);
  });

  it('end with the failure of one', async () => {
    const round = () => Promise.reject(new Error('gone'));
    await expect(runFullRounds({ round, full, pauseMs: 1 }, signal)).rejects.toThrow('gone');
  });
});
