import type { CalculatorOperation } from '../known-tools';

/** What a word or phrase means to the arithmetic grammar. */
export type Meaning =
  /** Between two numbers. `reversed`: the first is applied to the second, as in `7 less than 20`. */
  | {
      readonly type: 'infix';
      readonly operation: CalculatorOperation;
      readonly reversed?: boolean;
      /** Only right after a number: `750 ml runs over 6 hours` is no division. */
      readonly tight?: boolean;
      /** The quotient as a percentage: `20 as a percentage of 80`. */
      readonly percent?: boolean;
    }
  | { readonly type: 'verb'; readonly verb: Verb }
  /** Before a list of numbers, as in `the sum of`. */
  | { readonly type: 'function'; readonly name: FunctionName }
  /** Before or after one number: `twice 4`, `4 squared`. */
  | { readonly type: 'unary'; readonly name: UnaryName; readonly position: 'before' | 'after' | 'any' }
  | { readonly type: 'fraction'; readonly parts: number }
  | { readonly type: 'particle'; readonly word: string }
  | { readonly type: 'pronoun'; readonly plural?: boolean }
  | { readonly type: 'separator'; readonly strong: boolean }
  | { readonly type: 'question'; readonly name: QuestionName }
  | { readonly type: 'unsupported'; readonly what: string }
  | { readonly type: 'filler' };

export type QuestionName = 'percentOf' | 'howMany' | 'howMuch' | 'byHowMuch';
export type Verb =
  'add' | 'subtract' | 'take' | 'multiply' | 'divide' | 'split' | 'increase' | 'decrease' | 'start';
export type FunctionName = 'sum' | 'product' | 'difference' | 'quotient' | 'average';
export type UnaryName = 'double' | 'triple' | 'quadruple' | 'halve' | 'square' | 'cube';
