import type { ErrorCode } from '../../src/base/error-codes';
import { HoldfastError } from '../../src/base/errors';

/**
 * Converts the error of a missing or empty query to the code that the area has for it; other validation errors pass
 * through.
 */
export function asQueryProblem(code: ErrorCode): (error: HoldfastError, body: unknown) => HoldfastError {
  return (error, body) => {
    const query = (body as { query?: unknown } | null)?.query;
    if (typeof query === 'string' && query.trim() !== '') return error;
    // A query under another name is the likely reason.
    const hint = / is not known/.test(error.message) ? `; ${error.message}` : '';
    return new HoldfastError(code, `query must be a non-empty string${hint}`);
  };
}
