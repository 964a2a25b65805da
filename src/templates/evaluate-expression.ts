import { jsonLength } from '../contracts/json-length';
import type { TemplateExpression, TemplateOperation, TemplateReference } from './expression';
import { applyFunction, MAX_FUNCTION_LENGTH } from './functions';
import { TemplateFunctionError, TemplateLimitError, TemplateReferenceError } from './reference-errors';

/**
 * Looks up the value of a reference; `KEEP` leaves the text of its template as it is.
 * @param isName whether the template stands in the name of a property
 */
export type TemplateScope = (reference: TemplateReference, isName?: boolean) => unknown;

/** A scope returns this for a reference that it does not resolve. */
export const KEEP = Symbol('keep');

/** Counts the characters that functions read. @throws an error if they are too many */
export type TakeLength = (expression: string, length: number) => void;

/** A value, or why it is absent. */
type State = { readonly value: unknown } | { readonly absent: TemplateReferenceError };

/**
 * Evaluates an expression from left to right. A value is absent if the scope throws a TemplateReferenceError that is not
 * about a limit, and if a function finds nothing to give.
 * @returns `KEEP` if the scope keeps one of the references
 * @throws TemplateReferenceError if the value is absent and has no default; TemplateFunctionError if a function does
 *   not take its value; as the scope and `take` do
 */
export function evaluateExpression(
  { then = [], ...first }: TemplateExpression,
  scope: TemplateScope,
  take: TakeLength,
  isName = false,
): unknown {
  if (then.length === 0) return scope(first, isName);
  const read = (reference: TemplateReference): State => {
    try {
      return { value: scope(reference, isName) };
    } catch (error) {
      if (!(error instanceof TemplateReferenceError) || error instanceof TemplateLimitError) throw error;
      return { absent: error };
    }
  };
  let state = read(first);
  for (const operation of then) {
    if ('value' in state && state.value === KEEP) return KEEP;
    state = operate(operation, state, first.text, read, take);
  }
  if ('absent' in state) throw state.absent;
  return state.value;
}

function operate(
  operation: TemplateOperation,
  state: State,
  text: string,
  read: (reference: TemplateReference) => State,
  take: TakeLength,
): State {
  if (operation.kind === 'default') {
    if ('value' in state && state.value !== null && state.value !== undefined) return state;
    return 'reference' in operation ? read(operation.reference) : { value: operation.value };
  }
  if ('absent' in state) return state;
  const { name, argument } = operation;
  const value = state.value ?? null;
  const length = typeof value === 'string' ? value.length : jsonLength(value, MAX_FUNCTION_LENGTH);
  take(text, Math.min(length, MAX_FUNCTION_LENGTH));
  const applied = applyFunction(name, value, length, argument);
  if ('value' in applied) return applied;
  if ('isTooLong' in applied)
    throw new TemplateLimitError(text, `${name} takes and gives at most ${MAX_FUNCTION_LENGTH} characters`);
  const error = new TemplateFunctionError(text, applied.problem, applied.isAbsent === true);
  if (error.isAbsent) return { absent: error };
  throw error;
}
