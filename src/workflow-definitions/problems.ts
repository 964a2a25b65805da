import { HoldfastError, isHoldfastError } from '../base/errors';

/**
 * Creates the error for an invalid workflow.
 * @param step id of the invalid step; null if the problem is not in a single step
 * @param field path inside the step, as in `config.url`, or inside the request
 */
export function workflowProblem(step: string | null, field: string, message: string): HoldfastError {
  return new HoldfastError('WORKFLOW_INVALID', message, { details: { step, field, message } });
}

/**
 * Runs a check that throws `VALIDATION`, and converts its error to one of a step, or of the inputs if it names no step.
 * @throws HoldfastError `WORKFLOW_INVALID`
 */
export async function asStepProblem<T>(step: string | null, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw isHoldfastError(error) ? toStepProblem(step, error) : error;
  }
}

/** Converts an error with the code `VALIDATION` to one of a step; returns any other as it is. */
export function toStepProblem(step: string | null, error: HoldfastError): HoldfastError {
  if (error.code !== 'VALIDATION') return error;
  const details = { step, field: 'config', ...error.details, message: error.message };
  return new HoldfastError('WORKFLOW_INVALID', error.message, { details });
}
