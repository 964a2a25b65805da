import { JsonNestingError, parseJson } from '../base/json/parse';
import type { ThreadReply } from './protocol';

/**
 * Parses a UTF-8 text and writes it again, so that it is JSON as this service writes it. A text that is not JSON has no bytes in
 * the reply; one that is nested too deeply is a failure.
 */
export function rewriteJson(bytes: Uint8Array): ThreadReply {
  try {
    const value = parseJson(new TextDecoder().decode(bytes));
    return { kind: 'rewritten', bytes: Buffer.from(JSON.stringify(value)) };
  } catch (error) {
    if (!(error instanceof JsonNestingError)) return { kind: 'rewritten', bytes: undefined };
    return { kind: 'failure', message: `The response cannot be used: ${error.message}`, logs: [] };
  }
}
