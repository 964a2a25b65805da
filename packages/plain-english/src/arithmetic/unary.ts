import type { Cursor } from './cursor';
import { combine, numberOf, type Expression } from './expression';
import type { UnaryName } from './lexicon';

export function readPrefix(cursor: Cursor, name: UnaryName): Expression | undefined {
  const start = cursor.at;
  cursor.at++;
  cursor.particle('of');
  const operand = cursor.nested(() => cursor.operand());
  if (!operand) cursor.at = start;
  return operand && applyUnary(name, operand);
}

export function readPostfix(cursor: Cursor, operand: Expression): Expression {
  const next = cursor.peek();
  if (
    next?.type !== 'unary' ||
    next.position === 'before' ||
    /^(?:double|triple|twice)$/.test(next.token.lower)
  ) {
    return operand;
  }
  if (
    !/(?:ed|itself|d)$/.test(next.token.lower) &&
    next.token.lower !== 'times' &&
    next.token.lower !== 'multiplied'
  ) {
    return operand;
  }
  cursor.at++;
  return applyUnary(next.name, operand);
}

export function applyUnary(name: UnaryName, operand: Expression): Expression {
  switch (name) {
    case 'double':
      return combine('multiply', operand, numberOf(2));
    case 'triple':
      return combine('multiply', operand, numberOf(3));
    case 'quadruple':
      return combine('multiply', operand, numberOf(4));
    case 'halve':
      return combine('divide', operand, numberOf(2));
    case 'square':
      return combine('multiply', operand, operand);
    case 'cube':
      return combine('multiply', combine('multiply', operand, operand), operand);
    default:
      throw new Error(`unknown function ${String(name satisfies never)}`);
  }
}
