import type { Cursor } from './cursor';
import { combine, scaled, type Expression } from './expression';
import type { UnaryName } from './lexicon';

export function readPrefix(cursor: Cursor, name: UnaryName): Expression | undefined {
  return cursor.attempt(() => {
    cursor.at++;
    cursor.particle('of');
    const operand = cursor.nested(() => cursor.operand());
    return operand && applyUnary(name, operand);
  });
}

export function readPostfix(cursor: Cursor, operand: Expression): Expression {
  const next = cursor.peek();
  const isAfter =
    next?.type === 'unary' && next.position !== 'before' && /d$|^(?:times|itself)$/.test(next.token.lower);
  if (!isAfter) return operand;
  cursor.at++;
  return applyUnary(next.name, operand);
}

const FACTORS = { double: 2, triple: 3, quadruple: 4, halve: 0.5 } as const;

export function applyUnary(name: UnaryName, operand: Expression): Expression {
  if (name !== 'square' && name !== 'cube') return scaled(operand, FACTORS[name]);
  const square = combine('multiply', operand, operand);
  return name === 'square' ? square : combine('multiply', square, operand);
}
