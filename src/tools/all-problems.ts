import { HoldfastError, isHoldfastError } from '../base/errors';
import type { ErrorCode } from '../base/error-codes';
import { toPointer } from './argument-problems';

const CODES: ReadonlySet<ErrorCode> = new Set(['VALIDATION', 'WORKFLOW_INVALID']);
/** As many as a single check of arguments reports. */
const MAX_PROBLEMS = 20;

/**
 * Runs the checks of a request one after another.
 * @throws HoldfastError the first error; if it is about the request, with the problems of all checks in `details.problems`; an error
 * of another kind at once
 */
export async function checkAll<T, R>(
  items: readonly T[],
  check: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const errors: HoldfastError[] = [];
  for (const [index, item] of items.entries()) {
    try {
      results.push(await check(item, index));
    } catch (error) {
      if (!isHoldfastError(error) || !CODES.has(error.code)) throw error;
      errors.push(error);
    }
  }
  const [first] = errors;
  if (first === undefined) return results;
  if (errors.length === 1) throw first;
  const problems = errors.flatMap(problemsOf).slice(0, MAX_PROBLEMS);
  throw new HoldfastError(first.code, first.message, { details: { ...first.details, problems } });
}

/** The problems of an error, each with the step that it is in, if there is one. */
function problemsOf({ details, message }: HoldfastError): readonly object[] {
  const { field, step, problems } = details ?? {};
  const which = typeof step === 'string' ? { step } : {};
  if (Array.isArray(problems)) return problems.map((problem: object) => ({ ...which, ...problem }));
  return [{ ...which, pointer: toPointer(typeof field === 'string' ? field : ''), message }];
}
