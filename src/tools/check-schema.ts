import { isHoldfastError, validationError } from '../base/errors';
import type { JsonSchema } from '../contracts/http/tools';
import type { SchemaCheck } from '../sandbox/schema-checks';
import { argumentsError } from './argument-problems';

/**
 * Checks that a caller's schema can be used, before it is stored. It is compiled in a thread.
 * @param name of what the schema belongs to
 * @param field the place of the schema in the request
 * @throws HoldfastError `VALIDATION` naming the part that is wrong; the reason of the signal
 */
export async function checkSchema(
  check: SchemaCheck,
  name: string,
  schema: JsonSchema,
  field: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { problems } = await check(`the tool "${name}"`, schema, {}, signal);
    if (problems.length > 0) throw argumentsError(field, problems);
  } catch (error) {
    signal.throwIfAborted();
    if (!isHoldfastError(error) || error.code !== 'TOOL_EXECUTION_FAILED' || error.retryable) throw error;
    throw validationError(field, error.message);
  }
}
