import { AsyncLocalStorage } from 'node:async_hooks';
import { HoldfastError } from '../base/errors';

/**
 * The header by which a model call says how many model calls it is within, itself included. A service whose model is a service like
 * this one, itself perhaps, would otherwise never end.
 */
export const DEPTH_HEADER = 'X-Holdfast-Depth';
/** Maximum number of model calls that are within each other. */
export const MAX_DEPTH = 3;

/** The error of model calls that lead back to themselves; a service whose model answers with it fails with it too. */
export const LOOP_CODE = 'MODEL_LOOP';

const depths = new AsyncLocalStorage<number>();

/** Runs work whose model calls are within as many others. */
export function withDepth<T>(depth: number, work: () => T): T {
  return depths.run(depth, work);
}

/** How many model calls this code is within. */
export function currentDepth(): number {
  return depths.getStore() ?? 0;
}

export function modelLoop(): HoldfastError {
  return new HoldfastError(
    LOOP_CODE,
    `More than ${MAX_DEPTH} model calls are within each other (${DEPTH_HEADER}): the address of a model leads to a service whose own model leads back`,
  );
}
