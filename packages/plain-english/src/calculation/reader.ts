import { spend } from '../allowance';
import type { PlannedStep, Problem, ReadContext, Reader } from '../reading/reading';
import { calculate, hasTool, referenceBack } from '../reading/steps';
import type { TokenText } from '../text/token';
import { Cursor, lexCalculation, NoCalculation } from './lexer';
import type { Expression } from './expression';
import { readInstructions } from './instructions';

/** Work of reading a clause, and each of its tokens. */
const COST = 20;
const TOKEN_COST = 4;
/** A calculation that every word of a clause is a part of is hardly anything else. */
const WEIGHT = 1;

/** Reads a clause as calculations, if every word of it is a part of one. */
export const readCalculation: Reader = (clause, context) => {
  if (!hasTool(context, 'calculator')) return undefined;
  spend(COST + TOKEN_COST * clause.tokens.length);
  const first = read(clause, context, true);
  // `add one hundred and five` has two numbers after all.
  const second = first && 'problem' in first ? read(clause, context, false) : undefined;
  return second && 'steps' in second ? second : first;
};

function read({ tokens }: TokenText, context: ReadContext, joinAnd: boolean): ReturnType<Reader> {
  const lexemes = lexCalculation(tokens, joinAnd);
  if (!lexemes?.some(({ type }) => type === 'number' || type === 'verb')) return undefined;
  // A weather report has many numbers.
  const earlier = context.steps.at(-1)?.toolName === 'weather' ? undefined : referenceBack(context);
  try {
    const currencies = lexemes.flatMap((one) => (one.type === 'number' ? (one.currency ?? []) : []));
    if (new Set(currencies).size > 1) throw new NoCalculation('the amounts are in different currencies');
    const cursor = new Cursor(lexemes, earlier === undefined ? undefined : { kind: 'earlier' });
    const steps = compileExpressions(readInstructions(cursor), context.steps.length, earlier ?? '');
    return { steps, read: new Set(tokens), weight: WEIGHT };
  } catch (problem) {
    if (!(problem instanceof NoCalculation)) throw problem;
    return { problem: toProblem(problem), weight: problem.missing === undefined ? 0.3 : 0.8 };
  }
}

function toProblem({ message, missing, args }: NoCalculation): Problem {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const details = { message: text, toolName: 'calculator', extractedArgs: args };
  return missing === undefined ? details : { ...details, missing };
}

/**
 * The calculator's calls for expressions, innermost first; each subtree that is used twice is calculated once.
 * @param before how many calls of the plan come first
 * @param earlier the reference to the output of the last of these
 */
function compileExpressions(
  results: readonly Expression[],
  before: number,
  earlier: string,
): readonly PlannedStep[] {
  const steps: PlannedStep[] = [];
  const done = new Map<Expression, string>();
  const valueOf = (expression: Expression): number | string => {
    if (expression.kind === 'number') return expression.value;
    if (expression.kind === 'percent') return expression.share;
    if (expression.kind === 'earlier') return earlier;
    const known = done.get(expression);
    if (known !== undefined) return known;
    const step = calculate(expression.operation, valueOf(expression.a), valueOf(expression.b));
    steps.push(step);
    const reference = `{{${before + steps.length}}}`;
    done.set(expression, reference);
    return reference;
  };
  results.forEach(valueOf);
  return steps;
}
