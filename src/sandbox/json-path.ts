import { JSONPathEnvironment, JSONPathError, type JSONValue } from 'json-p3';
import { useLinearPatterns } from './patterns';
import type { ThreadReply } from './protocol';
import type { SandboxLimits } from './sandbox';
import { MAX_NESTING, nestsDeeperThan } from '../base/json/bounds';

const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_NESTING + 1 });
useLinearPatterns(environment);

/** Evaluates an RFC 9535 query. Only the pool's deadline limits its time, because filters may multiply matches. */
export function queryJson(documentText: string, path: string, limits: SandboxLimits): ThreadReply {
  try {
    const document = JSON.parse(documentText) as JSONValue;
    const text = JSON.stringify(environment.query(path, document).values());
    if (Buffer.byteLength(text) > limits.outputBytes) {
      return failure(`The path finds more than ${limits.outputBytes} bytes of JSON`);
    }
    // The array of values adds one level.
    if (nestsDeeperThan(text, MAX_NESTING + 1)) return failure(nestedTooDeeply);
    return { kind: 'value', text, logs: [] };
  } catch (error) {
    return failure(describeError(error, path));
  }
}

/** The end of the library's messages: the whole path, and an index that begins at 0. */
const REPEATED_PATH = / \('.*':-?\d+\)$/s;
const nestedTooDeeply = `The path finds data that is nested deeper than ${MAX_NESTING} levels`;

function describeError(error: unknown, path: string): string {
  if (error instanceof JSONPathError) {
    if (error.name === 'JSONPathRecursionLimitError') return nestedTooDeeply;
    // For an error at the end of the text the library has no usable index.
    const { index } = error.token;
    const column = index >= 0 && index < path.length ? index + 1 : path.length + 1;
    return `Invalid JSON path at character ${column}: ${error.message.replace(REPEATED_PATH, '')}`;
  }
  if (error instanceof RangeError) return nestedTooDeeply;
  return `The JSON path cannot be evaluated: ${error instanceof Error ? error.message : String(error)}`;
}

function failure(message: string): ThreadReply {
  return { kind: 'failure', message, logs: [] };
}
