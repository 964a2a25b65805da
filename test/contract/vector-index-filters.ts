import type { MemoryFilters } from '../../src/stores/memory/search';
import { entry, unit, type VectorIndexUnderTest } from './support/vector-index-harness';

const SPACE = 1;

export function describeVectorFilters(current: () => VectorIndexUnderTest): void {
  describe('filters', () => {
    beforeEach(async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, [
        entry('a', { timestamp: 1_000, labels: ['tea'], weight: 0 }),
        entry('b', { timestamp: 2_000, labels: ['tea', 'Milk'], weight: 0.25 }),
        entry('c', { timestamp: 3_000, labels: ['milk'], weight: 0.5 }),
        entry('d', { timestamp: 1_700_000_000_001, labels: [], weight: 1 }),
      ]);
      await harness.settle();
    });

    const found = async (filters: MemoryFilters): Promise<string> => {
      const hits = await current().index.search({
        userId: 'ann',
        kind: 'semantic',
        spaceId: SPACE,
        vector: unit(1, 0, 0),
        limit: 10,
        filters,
      });
      return hits.map(({ id }) => id).join('');
    };

    it.each<[string, MemoryFilters, string]>([
      ['none', {}, 'abcd'],
      ['from, included', { from: 2_000 }, 'bcd'],
      ['to, included', { to: 2_000 }, 'ab'],
      ['from and to', { from: 1_001, to: 2_999 }, 'b'],
      ['one millisecond', { from: 1_700_000_000_001, to: 1_700_000_000_001 }, 'd'],
      ['no time at all', { from: 2_000, to: 1_999 }, ''],
      ['a label', { anyLabel: ['tea'] }, 'ab'],
      ['a label, case and all', { anyLabel: ['milk'] }, 'c'],
      ['any of several labels', { anyLabel: ['milk', 'Milk'] }, 'bc'],
      ['a label that none has', { anyLabel: ['coffee'] }, ''],
      ['no label to choose from', { anyLabel: [] }, ''],
      ['least weight, included', { minWeight: 0.25 }, 'bcd'],
      ['least weight 0', { minWeight: 0 }, 'abcd'],
      ['most weight, included', { maxWeight: 0.25 }, 'ab'],
      ['most weight 0', { maxWeight: 0 }, 'a'],
      ['all at once', { from: 1_500, anyLabel: ['tea', 'milk'], minWeight: 0.1, maxWeight: 0.4 }, 'b'],
      ['a session, which no semantic memory has', { sessionId: 's' }, ''],
    ])('%s', async (_, filters, ids) => {
      expect(await found(filters)).toBe(ids);
    });
  });
}
