import { isJsonObject } from '../contracts/json';
import { findReferencesIn, followPath, KEEP, type TemplateScope } from './resolve';

/** The name by which a tool call of a sequence refers to the output of the call before it. */
export const PREVIOUS_RESULT = 'previous_result';

/**
 * Creates the scope of a sequence: `previous_result` alone is resolved, and other double braces stay as they are. If
 * the output is not an object, `{{previous_result.result}}` is the output itself, because the response shows such an
 * output under `result`.
 */
export function previousResultScope(output: unknown): TemplateScope {
  return (expression) => {
    if (expression.root !== PREVIOUS_RESULT) return KEEP;
    const [first, ...rest] = expression.path;
    if (!isJsonObject(output) && first === 'result') return followPath(output, { ...expression, path: rest });
    return followPath(output, expression);
  };
}

/** True if a value refers to the output of the call before. */
export function refersToPreviousResult(value: unknown): boolean {
  return findReferencesIn(value).some((expression) => expression.root === PREVIOUS_RESULT);
}
