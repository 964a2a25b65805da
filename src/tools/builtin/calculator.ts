import { toolError } from '../../base/errors';
import type { BuiltinTool } from '../tool';
import { CALCULATOR_OPERATIONS, calculatorDeclaration, type CalculatorOperation } from './declarations';
import { readChoice, readNumber } from './read-arguments';

/** Arithmetic on two numbers, as IEEE 754 doubles; the value is the number. */
export function createCalculator(): BuiltinTool {
  return {
    ...calculatorDeclaration,
    async run(args) {
      const operation = readChoice(args, 'operation', CALCULATOR_OPERATIONS);
      const result = calculate(operation, readNumber(args, 'a'), readNumber(args, 'b'));
      // JSON has no infinity, so this would reach the caller as null.
      if (!Number.isFinite(result)) throw toolError('The result is too large for a number');
      return { value: result };
    },
  };
}

function calculate(operation: CalculatorOperation, a: number, b: number): number {
  switch (operation) {
    case 'add':
      return a + b;
    case 'subtract':
      return a - b;
    case 'multiply':
      return a * b;
    case 'divide':
      if (b === 0) throw toolError('Division by zero');
      return a / b;
    default:
      return assertNever(operation);
  }
}

function assertNever(operation: never): never {
  throw new Error(`unknown operation ${String(operation)}`);
}
