import { validationError } from '../../src/base/errors';
import { DEPTH_HEADER, MAX_DEPTH, modelLoop } from '../../src/llm/call-depth';

/**
 * Reads how many model calls a request is within.
 * @throws HoldfastError `VALIDATION`, and `MODEL_LOOP` if they are too many
 */
export function readDepth(header: string | undefined): number {
  if (header === undefined) return 0;
  if (!/^\d{1,3}$/.test(header)) throw validationError(DEPTH_HEADER, 'must be a number from 0 to 999');
  const depth = Number(header);
  if (depth > MAX_DEPTH) throw modelLoop();
  return depth;
}
