import { followPath, KEEP, findExpressions, TemplateReferenceError } from './resolve';
import type { TemplateScope } from './resolve';

/** The name by which a tool in a sequence refers to the output of the tool before it. */
export const PREVIOUS_RESULT = 'previous_result';

/**
 * The scope of a sequence: only `previous_result` means anything, other double braces stay as they are.
 * `{{previous_result.result}}` on an output that is not an object is that output itself, because the answer
 * shows such an output under `result`.
 */
export function previousResultScope(output: unknown): TemplateScope {
  return (expression) => {
    if (expression.root !== PREVIOUS_RESULT) return KEEP;
    const [first, ...rest] = expression.path;
    const bare = typeof output !== 'object' || output === null || Array.isArray(output);
    if (bare && first === 'result') return followPath(output, { ...expression, path: rest });
    return followPath(output, expression);
  };
}

/** True where a value refers to the preceding tool's output. */
export function refersToPreviousResult(value: unknown): boolean {
  return findExpressions(value).some((expression) => expression.root === PREVIOUS_RESULT);
}

export { TemplateReferenceError };
