import { describePort } from './support/describe-port';
import type { VectorIndexHarness, VectorIndexUnderTest } from './support/vector-index-harness';
import { describeVectorFilters } from './vector-index-filters';
import { describeVectorModel } from './vector-index-model';
import { describeVectorSearch } from './vector-index-search';
import { describeVectorWrites } from './vector-index-writes';

/** What every adapter of the `VectorIndex` port has to do. */
export function describeVectorIndex(name: string, open: () => Promise<VectorIndexHarness>): void {
  const openIndex = async (): Promise<VectorIndexUnderTest & { dispose(): Promise<void> }> => {
    const harness = await open();
    return { harness, index: harness.connect(), dispose: () => harness.dispose() };
  };
  describePort(`${name} vector index`, openIndex, [
    describeVectorWrites,
    describeVectorSearch,
    describeVectorFilters,
    describeVectorModel,
  ]);
}
