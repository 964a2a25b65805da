import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolCallOutcome } from '../../../src/contracts/http/tools';
import { HoldfastError } from '../../../src/base/errors';
import type { DocumentStore } from '../../../src/stores/documents';
import { createToolStatistics, type ToolStatisticsStore } from '../../../src/tools/statistics';
import { NOW, testStores } from './registry-fixtures';

const RETENTION_MS = 1_000;

function outcome(step: string, changes: Partial<ToolCallOutcome> = {}): ToolCallOutcome {
  const finishedAt = new Date(NOW).toISOString();
  return {
    runId: 'run',
    step,
    toolName: 'calculator',
    success: true,
    executionTime: 10,
    finishedAt,
    ...changes,
  };
}

describe('tool statistics', () => {
  let stores: ReturnType<typeof testStores>;
  let now: number;
  beforeEach(() => {
    stores = testStores();
    now = NOW;
  });
  afterEach(() => stores.dispose());

  const statistics = (documents: DocumentStore = stores.connect()): ToolStatisticsStore =>
    createToolStatistics({ documents, retentionMs: RETENTION_MS, now: () => now });

  it('are all zero before the first call', async () => {
    expect(await statistics().read()).toEqual({
      totalExecutions: 0,
      successfulExecutions: 0,
      failedExecutions: 0,
      averageExecutionTime: 0,
      mostUsedTool: null,
      lastExecution: null,
    });
  });

  it('count successes, failures, time, the most used tool and the last call', async () => {
    const figures = statistics();
    await figures.record(outcome('1', { toolName: 'weather', executionTime: 1 }));
    await figures.record(outcome('2', { executionTime: 2, finishedAt: '2026-03-01T00:00:00.000Z' }));
    await figures.record(outcome('3', { executionTime: 6.25, success: false }));
    expect(await figures.read()).toEqual({
      totalExecutions: 3,
      successfulExecutions: 2,
      failedExecutions: 1,
      averageExecutionTime: 3.083,
      mostUsedTool: 'calculator',
      lastExecution: '2026-03-01T00:00:00.000Z',
    });
  });

  it('name the first by name of tools used as often', async () => {
    const figures = statistics();
    for (const [step, toolName] of ['b', 'c', 'a', 'c', 'b'].entries()) {
      await figures.record(outcome(String(step), { toolName }));
    }
    expect((await figures.read()).mostUsedTool).toBe('b');
  });

  it.each(['the same', 'another'])(
    'count a call once when it is recorded again by %s process',
    async (which) => {
      const figures = statistics();
      const again = which === 'another' ? statistics() : figures;
      await figures.record(outcome('1'));
      const before = await figures.read();
      for (let repeat = 0; repeat < 3; repeat += 1) await again.record(outcome('1'));
      await Promise.all([
        figures.record(outcome('1')),
        again.record(outcome('1')),
        again.record(outcome('1')),
      ]);
      expect(await figures.read()).toEqual(before);
    },
  );

  it('take the last outcome of a call for the one that counts', async () => {
    const figures = statistics();
    await figures.record(outcome('1', { success: false, executionTime: 4 }));
    await figures.record(outcome('2', { executionTime: 4 }));
    await figures.record(outcome('1', { success: true, executionTime: 8 }));
    expect(await figures.read()).toMatchObject({
      totalExecutions: 2,
      successfulExecutions: 2,
      failedExecutions: 0,
      averageExecutionTime: 6,
    });
    await figures.record(outcome('1', { success: false, executionTime: 0 }));
    expect(await figures.read()).toMatchObject({
      totalExecutions: 2,
      successfulExecutions: 1,
      failedExecutions: 1,
      averageExecutionTime: 2,
    });
  });

  it('take the last of two outcomes of a call that come in one go', async () => {
    const figures = statistics();
    await Promise.all([figures.record(outcome('1', { success: false })), figures.record(outcome('1'))]);
    expect(await figures.read()).toMatchObject({ totalExecutions: 1, failedExecutions: 0 });
  });

  it('tell the same step of two runs apart', async () => {
    const figures = statistics();
    await Promise.all([figures.record(outcome('1')), figures.record(outcome('1', { runId: 'other' }))]);
    expect((await figures.read()).totalExecutions).toBe(2);
  });

  it('are there after a restart, and still know what was counted', async () => {
    const documents = stores.connect();
    await statistics(documents).record(outcome('1'));
    const before = await statistics(documents).read();
    await documents.close();
    const after = statistics();
    expect(await after.read()).toEqual(before);
    await after.record(outcome('1'));
    expect(await after.read()).toEqual(before);
  });

  it('are shared by processes that write in turn', async () => {
    const [one, other] = [statistics(), statistics()];
    for (let call = 0; call < 10; call += 1) {
      await one.record(outcome(`one-${call}`));
      await other.record(outcome(`other-${call}`, { toolName: 'weather' }));
    }
    await other.record(outcome('more', { toolName: 'weather' }));
    expect(await one.read()).toMatchObject({ totalExecutions: 21, mostUsedTool: 'weather' });
  });

  it('write calls that come together together', async () => {
    const documents = stores.connect();
    const figures = statistics(documents);
    await figures.record(outcome('first'));
    const write = jest.spyOn(documents, 'write');
    await Promise.all(Array.from({ length: 100 }, (_, step) => figures.record(outcome(String(step)))));
    expect(write).toHaveBeenCalledTimes(1);
    expect((await figures.read()).totalExecutions).toBe(101);
  });

  it('gather in the next write what comes while one is under way', async () => {
    const documents = stores.connect();
    const figures = statistics(documents);
    await figures.record(outcome('first'));
    const really = documents.write.bind(documents);
    const late: Promise<void>[] = [];
    const write = jest.spyOn(documents, 'write').mockImplementationOnce(async (writes, options) => {
      for (let call = 0; call < 5; call += 1) late.push(figures.record(outcome(`late-${call}`)));
      await nextTurn();
      return really(writes, options);
    });
    await figures.record(outcome('second'));
    await Promise.all(late);
    expect(write).toHaveBeenCalledTimes(2);
    expect((await figures.read()).totalExecutions).toBe(7);
  });

  it('need one write and no read for a new call, once the process has written', async () => {
    const documents = stores.connect();
    const figures = statistics(documents);
    await figures.record(outcome('1'));
    const reads = [
      jest.spyOn(documents, 'get'),
      jest.spyOn(documents, 'getMany'),
      jest.spyOn(documents, 'list'),
    ];
    const write = jest.spyOn(documents, 'write');
    await figures.record(outcome('2'));
    expect(write).toHaveBeenCalledTimes(1);
    for (const read of reads) expect(read).not.toHaveBeenCalled();
  });

  it('need one write and no read for a new call, also while other processes write', async () => {
    const documents = stores.connect();
    const [figures, other] = [statistics(documents), statistics()];
    await figures.record(outcome('1'));
    await other.record(outcome('2'));
    const reads = [
      jest.spyOn(documents, 'get'),
      jest.spyOn(documents, 'getEach'),
      jest.spyOn(documents, 'getMany'),
      jest.spyOn(documents, 'list'),
    ];
    const write = jest.spyOn(documents, 'write');
    await figures.record(outcome('3'));
    await other.record(outcome('4'));
    await figures.record(outcome('5'));
    expect(write).toHaveBeenCalledTimes(2);
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    expect((await figures.read()).totalExecutions).toBe(5);
  });

  it('go on from what an earlier version of the service has stored', async () => {
    const documents = stores.connect();
    const finishedAt = new Date(NOW).toISOString();
    const counters = { executions: 3, successes: 2, micros: 9_000 };
    const totals = { ...counters, mostUsed: { name: 'weather', executions: 3 }, lastExecution: finishedAt };
    const counted = { toolName: 'weather', success: true, micros: 3_000, finishedAt };
    await documents.write([
      { type: 'put', collection: 'tool-totals', key: 'totals', value: totals },
      { type: 'put', collection: 'tool-counters', key: 'weather', value: counters },
      { type: 'put', collection: 'tool-outcomes', key: 'run/old', value: counted, expiresAt: NOW + 1 },
    ]);
    const figures = statistics(documents);
    const repeat = outcome('old', { toolName: 'weather', executionTime: 3 });
    await figures.record(repeat);
    expect(await figures.read()).toMatchObject({ totalExecutions: 3, averageExecutionTime: 3 });
    await figures.record({ ...repeat, success: false });
    await figures.record(outcome('new', { executionTime: 7 }));
    const expected = {
      totalExecutions: 4,
      successfulExecutions: 2,
      averageExecutionTime: 4,
      mostUsedTool: 'weather',
    };
    expect(await figures.read()).toMatchObject(expected);
    now += 3 * 60_000;
    expect(await figures.rollUp(new AbortController().signal)).toBe(2);
    expect(await figures.read()).toMatchObject(expected);
    expect((await documents.get('tool-counters', 'weather'))?.value).toEqual({ ...counters, successes: 1 });
  });

  it('know mean times before and after they are added to the totals', async () => {
    const figures = statistics();
    await figures.record(outcome('1', { executionTime: 2 }));
    await statistics().record(outcome('2', { executionTime: 4 }));
    await figures.record(outcome('3', { toolName: 'weather', executionTime: 9 }));
    const wanted = ['calculator', 'weather', 'never'];
    const times = new Map([
      ['calculator', 3],
      ['weather', 9],
    ]);
    expect(await figures.meanTimes(wanted)).toEqual(times);
    expect(await figures.meanTimes([])).toEqual(new Map());
    now += 3 * 60_000;
    await figures.rollUp(new AbortController().signal);
    expect(await figures.meanTimes(wanted)).toEqual(times);
    await figures.record(outcome('4', { executionTime: 6 }));
    expect(await figures.meanTimes(['calculator'])).toEqual(new Map([['calculator', 4]]));
  });

  it('leave what was counted in the last minute apart, and nothing else', async () => {
    const documents = stores.connect();
    const figures = statistics(documents);
    const apart = async (): Promise<number> => (await documents.list('tool-shards')).length;
    await figures.record(outcome('1'));
    now += 60_000;
    await figures.record(outcome('2'));
    await statistics().record(outcome('3'));
    expect([await figures.rollUp(new AbortController().signal), await apart()]).toEqual([0, 3]);
    now += 60_000;
    expect([await figures.rollUp(new AbortController().signal), await apart()]).toEqual([1, 2]);
    now += 60_000;
    expect([await figures.rollUp(new AbortController().signal), await apart()]).toEqual([2, 0]);
    expect((await figures.read()).totalExecutions).toBe(3);
  });

  it('are added to the totals in parts where many processes and tools were counted', async () => {
    const documents = stores.connect();
    const figures = statistics(documents);
    const tools = Array.from({ length: 450 }, (_, n) => `tool-${n}`);
    await Promise.all(tools.map((toolName) => figures.record(outcome(toolName, { toolName }))));
    const before = await figures.read();
    now += 3 * 60_000;
    const write = jest.spyOn(documents, 'write');
    expect(await figures.rollUp(new AbortController().signal)).toBe(450);
    expect(write).toHaveBeenCalledTimes(3);
    expect(await documents.list('tool-shards')).toEqual([]);
    expect(await figures.read()).toEqual(before);
  });

  it('fail with the store, count nothing twice when tried again, and go on', async () => {
    const documents = stores.connect();
    const figures = statistics(documents);
    await figures.record(outcome('1'));
    const really = documents.write.bind(documents);
    jest.spyOn(documents, 'write').mockImplementationOnce(async (writes, options) => {
      // In the worst case the store wrote it, and the caller got no answer.
      await really(writes, options);
      throw new HoldfastError('STORE_UNAVAILABLE', 'gone', { retryable: true });
    });
    await expect(figures.record(outcome('2'))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
    });
    await figures.record(outcome('2'));
    await figures.record(outcome('3'));
    expect((await figures.read()).totalExecutions).toBe(3);
  });

  it.each([
    ['a run id with a slash', { runId: 'a/b' }],
    ['a step too long for a key', { step: 's'.repeat(600) }],
    ['no tool name', { toolName: '' }],
  ])('refuse %s without harm to others', async (_what, changes) => {
    const figures = statistics();
    const [bad, good] = await Promise.allSettled([
      figures.record({ ...outcome('1'), ...changes }),
      figures.record(outcome('2')),
    ]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'VALIDATION' } });
    expect(good.status).toBe('fulfilled');
    expect((await figures.read()).totalExecutions).toBe(1);
  });

  it('count tools with odd names like any other', async () => {
    const figures = statistics();
    for (const [step, toolName] of ['__proto__', 'constructor', 'constructor'].entries()) {
      await figures.record(outcome(String(step), { toolName }));
    }
    expect(await figures.read()).toMatchObject({ totalExecutions: 3, mostUsedTool: 'constructor' });
  });

  it('stay as they are when outcomes expire and are pruned', async () => {
    const documents = stores.connect();
    const figures = statistics(documents);
    await Promise.all(Array.from({ length: 1_200 }, (_, step) => figures.record(outcome(String(step)))));
    now += RETENTION_MS - 1;
    expect(await figures.prune()).toBe(0);
    await figures.record(outcome('young'));
    const before = await figures.read();
    now += 1;
    const removeExpired = jest.spyOn(documents, 'removeExpired');
    expect(await figures.prune()).toBe(1_200);
    for (const [, limit] of removeExpired.mock.calls) expect(limit).toBeLessThanOrEqual(500);
    expect(await figures.prune()).toBe(0);
    expect(await figures.read()).toEqual(before);
    await figures.record(outcome('young'));
    expect(await figures.read()).toEqual(before);
  });
});
