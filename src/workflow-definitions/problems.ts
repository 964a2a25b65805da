import { HoldfastError, isHoldfastError } from '../base/errors';

/**
 * What is wrong with a workflow. `step` is the id of the offending step, null where it is none in particular; `field` the
 * place inside the step, as in `config.url`, or inside the request.
 */
export function workflowProblem(step: string | null, field: string, message: string): HoldfastError {
  return new HoldfastError('WORKFLOW_INVALID', message, { details: { step, field, message } });
}

/** Runs a check that throws `VALIDATION`, and tells its problem as one of a step. */
export function inStep<T>(step: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
    const { field } = (error.details ?? {}) as { field?: string };
    throw workflowProblem(step, field ?? 'config', error.message);
  }
}
