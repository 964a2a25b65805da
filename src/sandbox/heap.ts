/** The used part of a global that neither Node's types nor TypeScript's declare. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => object;
};

/** The memory of the engine's module. */
export interface Heap {
  readonly wasmMemory: object;
  /** Whether an allocation has failed since the last evaluation began, even if its code has caught the error. */
  wasExhausted: boolean;
}

/** Creates memory of a fixed size, in pages of 64 KiB. */
export function createHeap(pages: number): Heap {
  const wasmMemory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const heap: Heap = { wasmMemory, wasExhausted: false };
  // The allocator of the module asks for more pages if it finds no room, and fails if it gets none.
  Object.defineProperty(wasmMemory, 'grow', {
    value: () => {
      heap.wasExhausted = true;
      throw new RangeError('The memory of the sandbox has a fixed size');
    },
  });
  return heap;
}
