import type { ErrorCode } from '../../src/base/error-codes';
import { HoldfastError } from '../../src/base/errors';

/** A query that is none has a form of its own in some areas; anything else that is wrong stays as it is. */
export function asQueryProblem(code: ErrorCode): (error: HoldfastError, body: unknown) => HoldfastError {
  return (error, body) => {
    const query = (body as { query?: unknown } | null)?.query;
    if (typeof query === 'string' && query.trim() !== '') return error;
    return new HoldfastError(code, 'query must be a non-empty string');
  };
}
