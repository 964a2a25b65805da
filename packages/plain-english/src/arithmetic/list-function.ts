import type { CalculatorOperation } from '../known-tools';
import { ArithmeticProblem, type Cursor } from './cursor';
import { combine, foldAll, numberOf, type Expression } from './expression';
import type { FunctionName } from './lexicon';
import { readList } from './list';
import { readPostfix } from './unary';

const OPERATIONS: Readonly<Record<FunctionName, CalculatorOperation>> = {
  sum: 'add',
  product: 'multiply',
  difference: 'subtract',
  quotient: 'divide',
  average: 'add',
};

/** Of plain operands: what follows the list belongs to the whole, as in `the sum of 3 and 4 times 2`. */
export function readFunction(cursor: Cursor, name: FunctionName): Expression {
  cursor.at++;
  cursor.particle('of', 'between', 'from');
  cursor.skipUnknown();
  const readItem = (): Expression | undefined => {
    const operand = cursor.operand();
    return operand && readPostfix(cursor, operand);
  };
  const list = cursor.nested(() => readList(cursor, readItem, true));
  const total = foldAll(OPERATIONS[name], list);
  if (!total || list.length < 2)
    throw new ArithmeticProblem(`the ${name} needs two numbers`, list.length === 0 ? 'a' : 'b');
  return name === 'average' ? combine('divide', total, numberOf(list.length)) : total;
}
