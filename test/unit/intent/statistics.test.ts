import type { DocumentStore } from '../../../src/stores/documents';
import {
  createIntentStatistics,
  ACTIVITY_RETENTION_MS,
  MINUTE_MS,
} from '../../../src/intent/statistics/intent-statistics';
import { NOW, testStores } from '../tools/registry-fixtures';

const RETENTION_MS = 1_000;
const HOUR = 60 * MINUTE_MS;
const success = (type: 'hybrid' | 'conversation' = 'hybrid', confidence = 0.5, time = 2) => ({
  intent: { type, confidence },
  time,
});
const failed = 'failed' as const;

let stores: ReturnType<typeof testStores>;
let now: number;
beforeEach(() => {
  stores = testStores();
  now = NOW;
});
afterEach(() => stores.dispose());

const statistics = (documents: DocumentStore = stores.connect()) =>
  createIntentStatistics({ documents, retentionMs: RETENTION_MS, now: () => now });

test('means, rates and counts are those of what was recorded', async () => {
  const counted = statistics();
  await counted.record([success('hybrid', 0.4, 1), success('conversation', 0.8, 3), failed, failed]);
  expect(await counted.read()).toEqual({
    totalClassifications: 4,
    averageConfidence: expect.closeTo(0.6, 10),
    intentDistribution: {
      conversation: 1,
      tool_execution: 0,
      memory_chat: 0,
      hybrid: 1,
      knowledge_search: 0,
    },
    performance: { averageClassificationTime: 2, successRate: 0.5, errorRate: 0.5 },
    recentActivity: { lastHour: 4, lastDay: 4, lastWeek: 4 },
  });
});

test('what is recorded under a key counts once, in a batch, later and from another process', async () => {
  const counted = statistics();
  await Promise.all([counted.record([success()], 'run/1'), counted.record([success()], 'run/1')]);
  await counted.record([success()], 'run/1');
  await statistics().record([success()], 'run/1');
  await counted.record([success()], 'run/2');
  expect(await counted.read()).toMatchObject({ totalClassifications: 2, recentActivity: { lastHour: 2 } });
});

test('activity leaves its windows as time goes by', async () => {
  const counted = statistics();
  const activityAfter = async (milliseconds: number) => {
    now = NOW + milliseconds;
    return (await counted.read()).recentActivity;
  };
  await counted.record([success(), success()]);
  now += 30 * MINUTE_MS;
  await counted.record([success()]);
  expect(await activityAfter(59 * MINUTE_MS)).toEqual({ lastHour: 3, lastDay: 3, lastWeek: 3 });
  expect(await activityAfter(60 * MINUTE_MS)).toEqual({ lastHour: 1, lastDay: 3, lastWeek: 3 });
  expect(await activityAfter(23 * HOUR + 59 * MINUTE_MS)).toEqual({ lastHour: 0, lastDay: 3, lastWeek: 3 });
  expect(await activityAfter(24 * HOUR)).toEqual({ lastHour: 0, lastDay: 1, lastWeek: 3 });
  expect(await activityAfter(7 * 24 * HOUR)).toEqual({ lastHour: 0, lastDay: 0, lastWeek: 1 });
  expect(await activityAfter(8 * 24 * HOUR)).toEqual({ lastHour: 0, lastDay: 0, lastWeek: 0 });
  expect((await counted.read()).totalClassifications).toBe(3);
});

test('what no window asks for any more can be taken away, and nothing else', async () => {
  const documents = stores.connect();
  const counted = statistics(documents);
  await counted.record([success()], 'run/1');
  const week = 7 * 24 * HOUR;
  now = NOW + week - MINUTE_MS;
  await counted.rollUp(new AbortController().signal);
  await documents.removeExpired(now, 1_000);
  expect((await counted.read()).recentActivity.lastWeek).toBe(1);
  now = NOW + ACTIVITY_RETENTION_MS;
  expect(await documents.removeExpired(now, 1_000)).toBe(2);
  expect((await counted.read()).totalClassifications).toBe(1);
});

test('many writers at once lose nothing', async () => {
  const several = [statistics(), statistics(), statistics()] as const;
  const each = Array.from({ length: 50 }, () => several).flat();
  await Promise.all(each.map((counted, n) => counted.record([n % 2 === 0 ? success() : failed])));
  expect(await several[0].read()).toMatchObject({
    totalClassifications: 150,
    intentDistribution: { hybrid: 75 },
    recentActivity: { lastHour: 150 },
  });
});

test('activity is the same before and after it was added to the totals', async () => {
  const documents = stores.connect();
  const [counted, other] = [statistics(documents), statistics()];
  const windows = async () => (await counted.read()).recentActivity;
  for (const minute of [0, 1, 59, 60, 61, 1_439, 1_441]) {
    now = NOW + minute * MINUTE_MS;
    await counted.record([success(), failed]);
    await other.record([success()]);
  }
  const before = await windows();
  expect(before).toEqual({ lastHour: 6, lastDay: 15, lastWeek: 21 });
  expect(await counted.rollUp(new AbortController().signal)).toBe(12);
  expect(await windows()).toEqual(before);
  now += 2 * MINUTE_MS;
  expect(await other.rollUp(new AbortController().signal)).toBe(2);
  expect(await documents.list('intent-shards')).toEqual([]);
  expect(await counted.read()).toMatchObject({
    totalClassifications: 21,
    intentDistribution: { hybrid: 14 },
    recentActivity: { lastDay: 15, lastWeek: 21 },
  });
});

test('new classifications need one write and no read, also while other processes write', async () => {
  const documents = stores.connect();
  const [counted, other] = [statistics(documents), statistics()];
  await counted.record([success()]);
  await other.record([success()]);
  const reads = [
    jest.spyOn(documents, 'get'),
    jest.spyOn(documents, 'getEach'),
    jest.spyOn(documents, 'getMany'),
  ];
  const write = jest.spyOn(documents, 'write');
  await counted.record([success()]);
  expect(write).toHaveBeenCalledTimes(1);
  for (const read of reads) expect(read).not.toHaveBeenCalled();
  expect((await counted.read()).totalClassifications).toBe(3);
});

test('what an earlier version of the service has stored is counted on', async () => {
  const documents = stores.connect();
  const minute = Math.floor(NOW / MINUTE_MS);
  const types = { conversation: 0, tool_execution: 0, memory_chat: 0, hybrid: 2, knowledge_search: 0 };
  const totals = { succeeded: 2, failed: 1, micros: 4_000, confidence: 1_000_000, types };
  await documents.write([
    { type: 'put', collection: 'intent-totals', key: 'totals', value: totals },
    { type: 'put', collection: 'intent-activity', key: `m${minute}`, value: 3 },
    { type: 'put', collection: 'intent-activity', key: `h${Math.floor(minute / 60)}`, value: 3 },
    { type: 'put', collection: 'intent-recorded', key: 'run/1', value: true },
  ]);
  const counted = statistics(documents);
  await counted.record([success()], 'run/1');
  await counted.record([success('hybrid', 0.5, 2)], 'run/2');
  const expected = {
    totalClassifications: 4,
    averageConfidence: 0.5,
    intentDistribution: { hybrid: 3 },
    performance: { averageClassificationTime: 2, successRate: 0.75, errorRate: 0.25 },
    recentActivity: { lastHour: 4, lastDay: 4, lastWeek: 4 },
  };
  expect(await counted.read()).toMatchObject(expected);
  now += 3 * MINUTE_MS;
  expect(await counted.rollUp(new AbortController().signal)).toBe(1);
  expect(await counted.read()).toMatchObject(expected);
});
