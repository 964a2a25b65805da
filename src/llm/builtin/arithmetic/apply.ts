import { ArithmeticProblem } from './cursor';
import { combine, foldAll, numberOf, type Expression } from './expression';
import type { FunctionName, UnaryName } from './lexicon';

/** The calculations that a function of a list stands for; undefined for an empty list. */
export function applyFunction(name: FunctionName, list: readonly Expression[]): Expression | undefined {
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

/** The calculation that a function of one number stands for. */
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

/** What to say of an operation that the calculator does not have. */
export function cannot(what: string): ArithmeticProblem {
  return new ArithmeticProblem(
    `${what} cannot be calculated: the calculator adds, subtracts, multiplies and divides`,
    undefined,
    true,
  );
}
