import { SharedRuns } from '../../../../src/stores/sqlite/memory/shared-runs';

describe('runs that are shared', () => {
  it('begin after each request, one at a time, and also after one that failed', async () => {
    const ends: ((failure?: Error) => void)[] = [];
    const runs = new SharedRuns(
      () =>
        new Promise((resolve, reject) => {
          ends.push((failure) => (failure === undefined ? resolve() : reject(failure)));
        }),
    );
    const begun = async (): Promise<number> => {
      await new Promise((resolve) => setImmediate(resolve));
      return ends.length;
    };
    const first = [runs.request(), runs.request()].map((run) => expect(run).rejects.toThrow('disk'));
    expect(await begun()).toBe(1);
    const second = [runs.request(), runs.request()];
    expect(await begun()).toBe(1);
    ends[0]?.(new Error('disk'));
    await Promise.all(first);
    expect(await begun()).toBe(2);
    const third = runs.request();
    ends[1]?.();
    await Promise.all(second);
    expect(await begun()).toBe(3);
    ends[2]?.();
    await third;
  });
});
