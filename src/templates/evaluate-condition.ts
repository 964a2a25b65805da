import { ComparisonWork } from './comparison-work';
import { type Condition, ConditionError, parseCondition } from './condition';
import { evaluateExpression, type TemplateScope } from './evaluate-expression';
import type { TemplateExpression } from './expression';
import { TemplateFunctionError, TemplateLimitError, TemplateReferenceError } from './reference-errors';

/** Looks up the value of a reference. */
export type ReferenceValues = TemplateScope;

/**
 * Whether a condition is true. A reference to a missing part counts as `null`, so that a condition can test for
 * absence. False, `null`, 0 and an empty text count as false. Pure; takes time proportional to what it compares.
 * @param work counts and limits the work
 * @param readsEscapes as in `parseCondition`
 * @throws TemplateReferenceError where a function does not take its value; ConditionError where the condition cannot be parsed, or its values cannot be compared or are too long to
 *   compare
 */
export function holds(
  source: string,
  values: ReferenceValues,
  work = new ComparisonWork(),
  readsEscapes?: () => boolean,
): boolean {
  return Boolean(evaluate(parseCondition(source, readsEscapes), values, work));
}

function evaluate(condition: Condition, values: ReferenceValues, work: ComparisonWork): unknown {
  switch (condition.kind) {
    case 'value':
      return condition.value;
    case 'reference':
      return valueOrNull(condition.expression, values, work);
    case 'not':
      return !evaluate(condition.operand, values, work);
    case 'all':
      return condition.operands.every((operand) => Boolean(evaluate(operand, values, work)));
    case 'any':
      return condition.operands.some((operand) => Boolean(evaluate(operand, values, work)));
    case 'compare': {
      const { operator, left, right } = condition;
      return compare(operator, evaluate(left, values, work), evaluate(right, values, work), work);
    }
  }
}

function valueOrNull(expression: TemplateExpression, values: ReferenceValues, work: ComparisonWork): unknown {
  try {
    return evaluateExpression(expression, values, (_, length) => work.spend(length)) ?? null;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** Whether an error says that a part is absent. The others are about a function or a limit. */
function isAbsence(error: unknown): boolean {
  if (error instanceof TemplateFunctionError) return error.isAbsent;
  return error instanceof TemplateReferenceError && !(error instanceof TemplateLimitError);
}

function compare(
  operator: (Condition & { kind: 'compare' })['operator'],
  left: unknown,
  right: unknown,
  work: ComparisonWork,
): boolean {
  switch (operator) {
    case '==':
      return work.equal(left, right);
    case '!=':
      return !work.equal(left, right);
    case 'contains':
      return work.contains(left, right);
    case '<':
      return order(left, right, work) < 0;
    case '<=':
      return order(left, right, work) <= 0;
    case '>':
      return order(left, right, work) > 0;
    case '>=':
      return order(left, right, work) >= 0;
  }
}

function order(left: unknown, right: unknown, work: ComparisonWork): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return work.order(left, right);
  throw new ConditionError(`cannot compare ${kindOf(left)} with ${kindOf(right)}`);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
