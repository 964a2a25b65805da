import { ComparisonWork } from './comparison-work';
import { type Condition, ConditionError, parseCondition } from './condition';
import { evaluateExpression, type TemplateScope } from './evaluate-expression';
import type { TemplateExpression } from './expression';
import { compareKept } from './kept-numbers';
import { TemplateFunctionError, TemplateLimitError, TemplateReferenceError } from './reference-errors';

/** Looks up the value of a reference. */
export type ReferenceValues = TemplateScope;

/**
 * Whether a condition is true. A reference to a missing part counts as `null`, so that a condition can test for
 * absence. False, `null`, 0 and an empty text count as false. A text that stands for a number which a double does not hold compares
 * as that number with numbers and other such texts. Pure; takes time proportional to what it compares.
 * @param work counts and limits the work
 * @throws TemplateReferenceError if a function does not take its value; ConditionError if the condition cannot be
 *   parsed, or its values cannot be compared or are too long to compare
 */
export function holds(source: string, values: ReferenceValues, work = new ComparisonWork()): boolean {
  return Boolean(evaluate(parseCondition(source), { values, work }));
}

/** What the parts of a condition are evaluated with. */
interface Evaluation {
  readonly values: ReferenceValues;
  readonly work: ComparisonWork;
}

function evaluate(condition: Condition, evaluation: Evaluation): unknown {
  switch (condition.kind) {
    case 'value':
      return condition.value;
    case 'reference':
      return valueOrNull(condition.expression, evaluation);
    case 'not':
      return !evaluate(condition.operand, evaluation);
    case 'all':
      return condition.operands.every((operand) => Boolean(evaluate(operand, evaluation)));
    case 'any':
      return condition.operands.some((operand) => Boolean(evaluate(operand, evaluation)));
    case 'compare': {
      const { operator, left, right } = condition;
      return compare(operator, evaluate(left, evaluation), evaluate(right, evaluation), evaluation);
    }
  }
}

function valueOrNull(expression: TemplateExpression, { values, work }: Evaluation): unknown {
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
  evaluation: Evaluation,
): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right, evaluation);
    case '!=':
      return !isEqual(left, right, evaluation);
    case 'contains':
      return evaluation.work.contains(left, right);
    case '<':
      return order(left, right, evaluation) < 0;
    case '<=':
      return order(left, right, evaluation) <= 0;
    case '>':
      return order(left, right, evaluation) > 0;
    case '>=':
      return order(left, right, evaluation) >= 0;
  }
}

function isEqual(left: unknown, right: unknown, { work }: Evaluation): boolean {
  const isSame = work.equal(left, right);
  const numeric = compareKept(left, right);
  return numeric === undefined ? isSame : numeric === 0;
}

function order(left: unknown, right: unknown, { work }: Evaluation): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const byUnits = typeof left === 'string' && typeof right === 'string' ? work.order(left, right) : undefined;
  const inOrder = compareKept(left, right) ?? byUnits;
  if (inOrder !== undefined) return inOrder;
  throw new ConditionError(`cannot compare ${kindOf(left)} with ${kindOf(right)}`);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
