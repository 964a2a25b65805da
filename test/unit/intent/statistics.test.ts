import type { DocumentStore } from '../../../src/stores/documents';
import { createIntentStatistics } from '../../../src/intent/statistics/intent-statistics';
import { ACTIVITY_RETENTION_MS, MINUTE_MS } from '../../../src/intent/statistics/activity-windows';
import { NOW, testStores } from '../registry/fixtures';

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
