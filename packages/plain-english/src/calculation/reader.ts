import { spend } from '../allowance';
import { hasTool, referenceBack, type ReadContext, type Reader, type Reading } from '../reading/reading';
import type { Problem } from '../reading/problem';
import type { Token, TokenText } from '../text/token';
import { compileExpressions } from './compile';
import { Cursor, NoCalculation } from './cursor';
import { readInstructions } from './instructions';
import { lexCalculation, type Lexeme } from './lexer';

/** Work of reading a clause, and each of its tokens. */
const COST = 20;
const TOKEN_COST = 4;
/** A calculation that every word of a clause is a part of is hardly anything else. */
const WEIGHT = 1;

/** Reads a clause as calculations, where every word of it is a part of one. */
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
    if (currenciesOf(lexemes).size > 1) throw new NoCalculation('the amounts are in different currencies');
    const cursor = new Cursor(lexemes, earlier === undefined ? undefined : { kind: 'earlier' });
    const steps = compileExpressions(readInstructions(cursor), context.steps.length, earlier ?? '');
    return reading(steps, tokens);
  } catch (problem) {
    if (!(problem instanceof NoCalculation)) throw problem;
    return { problem: toProblem(problem), weight: problem.missing === undefined ? 0.3 : 0.8 };
  }
}

function currenciesOf(lexemes: readonly Lexeme[]): ReadonlySet<string> {
  return new Set(
    lexemes.flatMap((one) => (one.type === 'number' && one.currency !== undefined ? [one.currency] : [])),
  );
}

function reading(steps: Reading['steps'], tokens: readonly Token[]): Reading {
  return { steps, read: new Set(tokens), weight: WEIGHT };
}

function toProblem({ message, missing, found }: NoCalculation): Problem {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const details = { message: text, toolName: 'calculator', extractedArgs: found };
  return missing === undefined ? details : { ...details, missing };
}
