import { createIntentStatistics } from '../../../src/intent/statistics/intent-statistics';
import type { DocumentWrite } from '../../../src/stores/documents';
import { createToolStatistics, MAX_PRUNED } from '../../../src/tools/statistics';
import { DEFAULT_TENANT } from '../../../src/contracts/tenants';
import type { Tenants, TenantServices } from '../../../src/tenants/tenants';
import { statisticsChores } from '../../../worker/statistics-chores';
import type { Chore } from '../../../worker/housekeeping';
import { NOW, testStores } from '../tools/registry-fixtures';

const { signal } = new AbortController();
const MINUTE_MS = 60_000;

describe('the chores of the statistics', () => {
  let stores: ReturnType<typeof testStores>;
  let now: number;
  beforeEach(() => {
    stores = testStores();
    now = NOW;
  });
  afterEach(() => stores.dispose());

  function start() {
    const documents = stores.connect();
    const options = { documents, retentionMs: MINUTE_MS, now: () => now };
    const [tools, intents] = [createToolStatistics(options), createIntentStatistics(options)];
    const services = { statistics: tools, intents: { statistics: intents } } as unknown as TenantServices;
    const tenants: Tenants = {
      default: services,
      of: () => Promise.resolve(services),
      list: () => Promise.resolve([DEFAULT_TENANT]),
    };
    const [prune, rollUp] = statisticsChores(tenants) as [Chore, Chore];
    return { documents, tools, intents, prune, rollUp };
  }

  it('take away all that has expired, however much came since the last time', async () => {
    const { documents, prune } = start();
    const expired = 2 * MAX_PRUNED + 1_500;
    for (let first = 0; first < expired; first += 1_500) {
      const writes = Array.from({ length: Math.min(1_500, expired - first) }, (_, n): DocumentWrite => ({
        type: 'put',
        collection: 'tool-outcomes',
        key: `run/${first + n}`,
        value: 0,
        expiresAt: now,
      }));
      await documents.write(writes, { durability: 'process' });
    }
    expect(await prune.run(signal)).toBe(expired);
    expect(await documents.list('tool-outcomes')).toEqual([]);
  });

  it('add what was counted in past minutes to the totals', async () => {
    const { documents, tools, intents, rollUp } = start();
    const finishedAt = new Date(NOW).toISOString();
    await tools.record({ runId: 'r', step: '1', toolName: 'a', success: true, executionTime: 1, finishedAt });
    await intents.record(['failed']);
    const before = [await tools.read(), await intents.read()];
    expect(await rollUp.run(signal)).toBe(0);
    now += 3 * MINUTE_MS;
    expect(await rollUp.run(signal)).toBe(2);
    expect(await documents.list('tool-shards')).toEqual([]);
    expect(await documents.list('intent-shards')).toEqual([]);
    expect([await tools.read(), await intents.read()]).toEqual(before);
  });
});
