import { jsonLength } from '../../src/contracts/json';
import type { ToolCall } from '../../src/contracts/runs/tools';

const LIGHT_DOCUMENT_LENGTH = 16_384;
const MAX_PATH_CHARACTERS = 2_048;

/**
 * True for a call that is pure and takes about a millisecond: it runs as a local activity, and after a crash
 * it runs again. Nothing with an effect may ever be light.
 *
 * Part of the workflows' determinism: a run in flight must come to the same answer when replayed, so a
 * change here goes behind `patched`.
 */
export function isLightCall(call: ToolCall): boolean {
  if (call.implementation.kind !== 'builtin') return false;
  switch (call.toolName) {
    case 'calculator':
      return true;
    case 'json_reader':
      return jsonLength(call.args) <= LIGHT_DOCUMENT_LENGTH && isCheapPath(call.args['path']);
    default:
      return false;
  }
}

/** Filters, descendants and repeated selectors can take long on a small document. */
function isCheapPath(path: unknown): boolean {
  return typeof path === 'string' && path.length <= MAX_PATH_CHARACTERS && !/[?,]|\.\./.test(path);
}
