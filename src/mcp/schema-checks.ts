import { isHoldfastError, toolError } from '../base/errors';
import type { JsonSchema } from '../contracts/http/tools';
import type { Sandbox } from '../sandbox/sandbox';

/** The limit of one check, milliseconds. It includes the wait for a thread. A usual check takes less than one. */
const CHECK_LIMIT_MS = 5_000;

/**
 * Checks what goes to a remote tool, or comes from it, by a schema of its server.
 * @returns what the schema refuses; undefined where the value is valid
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` for a schema that cannot be used, such as one that refers to another
 * document, and for a check that takes too long (retryable where it had no thread); the reason of the signal
 */
export type SchemaCheck = (
  schema: JsonSchema,
  value: unknown,
  signal: AbortSignal,
) => Promise<string | undefined>;

/**
 * @param sandbox whose threads can be terminated: a pattern such as `^(a+)+$` takes hours for 45 characters, and a server
 * chooses both the schema and the result
 */
export function createSchemaCheck(sandbox: Pick<Sandbox, 'findSchemaProblem'>): SchemaCheck {
  return async (schema, value, signal) => {
    try {
      return await sandbox.findSchemaProblem(schema, value, { timeoutMs: CHECK_LIMIT_MS, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!isHoldfastError(error) || error.code !== 'TOOL_TIMEOUT') throw error;
      throw toolError(`A check by the schema of the tool took longer than ${CHECK_LIMIT_MS} ms`, {
        retryable: error.retryable,
        cause: error,
      });
    }
  };
}
