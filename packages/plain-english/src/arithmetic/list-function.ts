import { ArithmeticProblem, type Cursor } from './cursor';
import { combine, foldAll, numberOf, type Expression } from './expression';
import type { FunctionName } from './lexicon';
import { continuesList, passListSeparator } from './list';
import { readPostfix } from './unary';

export function readFunction(cursor: Cursor, name: FunctionName): Expression {
  cursor.at++;
  cursor.particle('of', 'between', 'from');
  cursor.skipUnknown();
  const list = cursor.nested(() => readOperands(cursor, name));
  if (list.length < 2)
    throw new ArithmeticProblem(`the ${name} needs two numbers`, list.length === 0 ? 'a' : 'b');
  return applyFunction(name, list) ?? numberOf(0);
}

/** Plain operands: what follows the list belongs to the whole, as in `the sum of 3 and 4 times 2`. */
function readOperands(cursor: Cursor, name: FunctionName): Expression[] {
  const list: Expression[] = [];
  for (;;) {
    const start = cursor.at;
    if (list.length > 0) {
      cursor.skipUnknown();
      const separated =
        passListSeparator(cursor) ||
        (name === 'quotient' && cursor.particle('to') !== undefined) ||
        (name === 'difference' && cursor.particle('than') !== undefined) ||
        cursor.peek()?.type === 'number';
      if (!separated || !continuesList(cursor)) return rewind(cursor, start, list);
    }
    const operand = cursor.operand();
    if (!operand) return rewind(cursor, start, list);
    list.push(readPostfix(cursor, operand));
  }
}

function rewind(cursor: Cursor, start: number, list: Expression[]): Expression[] {
  cursor.at = start;
  if (list.length === 1 && list[0]?.kind === 'earlier') return [];
  return list;
}

function applyFunction(name: FunctionName, list: readonly Expression[]): Expression | undefined {
  switch (name) {
    case 'sum':
      return foldAll('add', list);
    case 'product':
      return foldAll('multiply', list);
    case 'difference':
      return foldAll('subtract', list);
    case 'quotient':
      return foldAll('divide', list);
    case 'average': {
      const sum = foldAll('add', list);
      return sum && combine('divide', sum, numberOf(list.length));
    }
    default:
      throw new Error(`unknown function ${String(name satisfies never)}`);
  }
}
