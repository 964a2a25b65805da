import type { VectorIndexHarness, VectorIndexUnderTest } from './support/vector-index-harness';
import { describeVectorFilters } from './vector-index-filters';
import { describeVectorModel } from './vector-index-model';
import { describeVectorSearch } from './vector-index-search';
import { describeVectorWrites } from './vector-index-writes';

/** What every adapter of the `VectorIndex` port has to do. */
export function describeVectorIndex(name: string, open: () => Promise<VectorIndexHarness>): void {
  describe(`${name} vector index`, () => {
    let underTest: VectorIndexUnderTest | undefined;

    const current = (): VectorIndexUnderTest => {
      if (underTest === undefined) throw new Error('No index is open');
      return underTest;
    };

    beforeEach(async () => {
      const harness = await open();
      underTest = { harness, index: harness.connect() };
    });

    afterEach(async () => {
      await underTest?.harness.dispose();
      underTest = undefined;
    });

    for (const part of [
      describeVectorWrites,
      describeVectorSearch,
      describeVectorFilters,
      describeVectorModel,
    ]) {
      part(current);
    }
  });
}
