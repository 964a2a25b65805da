import type { Condition } from './condition';
import { ConditionError, parseCondition } from './condition';
import type { TemplateExpression } from './expression';
import { TemplateReferenceError } from './resolve';

/** Says what a reference stands for. */
export type ReferenceValues = (expression: TemplateExpression) => unknown;

/**
 * Whether a condition holds. A reference to a part that is not there counts as `null`, so that absence can be asked
 * for. False, `null`, 0 and an empty text do not hold by themselves. Pure.
 * @throws ConditionError for what cannot be read or compared
 */
export function holds(source: string, values: ReferenceValues): boolean {
  return Boolean(evaluate(parseCondition(source), values));
}

function evaluate(condition: Condition, values: ReferenceValues): unknown {
  switch (condition.kind) {
    case 'value':
      return condition.value;
    case 'reference':
      return valueOrNull(condition.expression, values);
    case 'not':
      return !evaluate(condition.operand, values);
    case 'all':
      return condition.operands.every((operand) => Boolean(evaluate(operand, values)));
    case 'any':
      return condition.operands.some((operand) => Boolean(evaluate(operand, values)));
    case 'compare': {
      const { operator, left, right } = condition;
      return compare(operator, evaluate(left, values), evaluate(right, values));
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
): boolean {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case 'contains':
      return contains(left, right);
    case '<':
      return order(left, right) < 0;
    case '<=':
      return order(left, right) <= 0;
    case '>':
      return order(left, right) > 0;
    case '>=':
      return order(left, right) >= 0;
  }
}

function equal(left: unknown, right: unknown): boolean {
  return left === right || canonical(left) === canonical(right);
}

/** JSON text that does not depend on the order of properties. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function contains(whole: unknown, part: unknown): boolean {
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part));
  if (typeof whole === 'object' && whole !== null)
    return typeof part === 'string' && Object.hasOwn(whole, part);
  return false;
}

function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  throw new ConditionError(`cannot compare ${kindOf(left)} with ${kindOf(right)}`);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
