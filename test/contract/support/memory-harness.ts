import type { MemoryGraph } from '../../../src/stores/memory/memory-graph';

/** How a child process opens the data under test: `require(module)[factory](settings)`. */
export interface MemoryGraphAddress {
  readonly module: string;
  readonly factory: string;
  /** Any JSON value. */
  readonly settings: unknown;
}

export interface ConnectOptions {
  /** Whether vectors are searched in an index outside of the graph. Default false. */
  readonly vectorsElsewhere?: boolean;
}

/** A place for memories, empty at first, that several graphs share as several processes do. */
export interface MemoryGraphHarness {
  readonly address: MemoryGraphAddress;
  /** Another graph on the same data; the harness closes it. */
  connect(options?: ConnectOptions): MemoryGraph;
  /** Closes all graphs and removes the data. */
  dispose(): Promise<void>;
}
