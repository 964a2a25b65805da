import { ComparisonWork } from './comparison-work';
import { type Condition, ConditionError, parseCondition } from './condition';
import type { TemplateExpression } from './expression';
import { TemplateReferenceError } from './resolve';

/** Looks up the value of a reference. */
export type ReferenceValues = (expression: TemplateExpression) => unknown;

/**
 * Whether a condition is true. A reference to a missing part counts as `null`, so that a condition can test for
 * absence. False, `null`, 0 and an empty text count as false. Pure; takes time proportional to what it compares.
 * @param work counts and limits the work
 * @throws ConditionError where the condition cannot be parsed, or its values cannot be compared or are too long to
 *   compare
 */
export function holds(source: string, values: ReferenceValues, work = new ComparisonWork()): boolean {
  return Boolean(evaluate(parseCondition(source), values, work));
}

function evaluate(condition: Condition, values: ReferenceValues, work: ComparisonWork): unknown {
  switch (condition.kind) {
    case 'value':
      return condition.value;
    case 'reference':
      return valueOrNull(condition.expression, values);
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

function valueOrNull(expression: TemplateExpression, values: ReferenceValues): unknown {
  try {
    return values(expression) ?? null;
  } catch (error) {
    if (error instanceof TemplateReferenceError) return null;
    throw error;
  }
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
