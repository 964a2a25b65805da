import { jsonLength } from '../json-length';
import type { ToolCall } from './tools';

const MAX_INLINE_DOCUMENT_LENGTH = 16_384;
const MAX_PATH_CHARACTERS = 2_048;

/**
 * True for a call that is pure and takes about a millisecond. It runs as a local activity within the workflow task, and
 * after a crash it runs again. A call with an effect must never be inline.
 * This function is part of the workflows' determinism: a replay of a run in flight has to come to the same answer, so a
 * change here goes behind `patched`.
 */
export function isInlineCall(call: ToolCall): boolean {
  if (call.implementation.kind !== 'builtin') return false;
  switch (call.toolName) {
    case 'calculator':
      return true;
    case 'json_reader':
      return jsonLength(call.args) <= MAX_INLINE_DOCUMENT_LENGTH && isCheapPath(call.args['path']);
    default:
      return false;
  }
}

/** False for filters, descendants and repeated selectors, which can take long even on a small document. */
function isCheapPath(path: unknown): boolean {
  return typeof path === 'string' && path.length <= MAX_PATH_CHARACTERS && !/[?,]|\.\./.test(path);
}
