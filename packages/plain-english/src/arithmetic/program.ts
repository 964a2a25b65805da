import { spend } from '../allowance';
import type { Token } from '../text/token';
import { ArithmeticProblem, cannot, Cursor, type ArithmeticContext } from './cursor';
import type { Expression } from './expression';
import { lexArithmetic, type Lexeme } from './lexer';
import { continueExpression, readExpression, readOperand } from './operand';
import { readQuestion } from './question';
import { readInstruction } from './statement';
import { applyUnary } from './unary';

/** The calculations of a clause, and how much of it they explain. */
export interface Program {
  /** Each one by itself; most clauses have one. */
  readonly results: readonly Expression[];
  /** Words that are no part of it. */
  readonly unknown: readonly Token[];
  /** True where it goes on with the value of an earlier step. */
  readonly continues: boolean;
}

/** Work of one attempt, most of which is the error that ends it, and of each token. */
const COST = 20;
const TOKEN_COST = 3;

/**
 * Reads a clause as calculations that feed one another.
 * @throws ArithmeticProblem where it is not a program, or lacks something
 */
export function parseProgram(tokens: readonly Token[], context: ArithmeticContext): Program {
  spend(COST + TOKEN_COST * tokens.length);
  try {
    return parse(lexArithmetic(tokens, true), context);
  } catch (problem) {
    if (!(problem instanceof ArithmeticProblem) || problem.final) throw problem;
    // `add one hundred and five` has two numbers after all.
    try {
      return parse(lexArithmetic(tokens, false), context);
    } catch {
      throw problem;
    }
  }
}

function parse(lexemes: readonly Lexeme[], context: ArithmeticContext): Program {
  const reader = new ProgramReader(
    new Cursor(lexemes, context, { operand: readOperand, expression: readExpression }),
  );
  return reader.read();
}

class ProgramReader {
  private readonly unknown: Token[] = [];
  /** True from a separator to the next value: an operation there goes on with the value before. */
  private continues = false;

  constructor(private readonly cursor: Cursor) {}

  read(): Program {
    const { cursor } = this;
    while (cursor.at < cursor.lexemes.length) this.readNext();
    const results = cursor.current ? [...cursor.results, cursor.current] : cursor.results;
    const calculated = results.filter(({ kind }) => kind === 'operation');
    const last = cursor.current;
    if (calculated.length > 0 && last?.kind === 'number') throw isUnclear(last.value);
    if (calculated.length > 0 && last?.kind === 'percent') throw isUnclear(last.share);
    if (calculated.length === 0) throw new ArithmeticProblem('there is nothing to calculate');
    return {
      results: calculated,
      unknown: this.unknown,
      continues: this.continues || calculated.some(refersBack),
    };
  }

  private readNext(): void {
    const { cursor } = this;
    const next = cursor.peek();
    if (!next) return;
    const start = cursor.at;
    const value = this.readValue(next);
    if (value) {
      this.accept(value, start);
      cursor.startsFrom =
        value.kind !== 'operation' && this.cursor.lexemes[start - 1]?.token.lower === 'from';
      return;
    }
    cursor.at = Math.max(cursor.at, start + 1);
    if (next.type === 'unknown') this.unknown.push(next.token);
    if (next.type === 'unsupported') throw cannot(next.what);
  }

  private readValue(next: Lexeme): Expression | undefined {
    const { cursor } = this;
    if (next.type === 'verb') return readInstruction(cursor, next.verb);
    if (next.type === 'question') return readQuestion(cursor, next.name);
    const earlier = cursor.earlier();
    if (next.type === 'infix' && earlier && this.isContinuation()) return continueExpression(cursor, earlier);
    if (next.type === 'unknown') return this.readFieldOperation();
    if (this.skipsLonePronoun(next)) return undefined;
    const value = readExpression(cursor);
    if (value || next.type !== 'unary' || !earlier || cursor.peek(1)?.type === 'unknown') return value;
    // `…, then squared`: with no number of its own.
    cursor.at++;
    return applyUnary(next.name, earlier);
  }

  /** In `I think that 3 plus 4` the `that` before a number stands for no value. */
  private skipsLonePronoun(next: Lexeme): boolean {
    const after = this.cursor.peek(1);
    return next.type === 'pronoun' && after?.type !== 'infix' && after?.type !== 'unary';
  }

  /** `the port plus 1`: a part of data counts only where something is done with it. */
  private readFieldOperation(): Expression | undefined {
    const { cursor } = this;
    return cursor.attempt(() => {
      const value = cursor.context.hasFields ? readExpression(cursor) : undefined;
      return value?.kind === 'operation' ? value : undefined;
    });
  }

  /** An operation at the start of a part of the sentence, `… then times 3`. */
  private isContinuation(): boolean {
    const next = this.cursor.peek();
    const previous = this.cursor.peek(-1);
    if (next?.type === 'infix' && next.token.text === '-' && previous?.type !== 'separator') return false;
    // `210 people spread over 3`, but `how much over 12 months` is no division.
    if (next?.type !== 'infix' || next.tight !== true) return true;
    const { lexemes, at } = this.cursor;
    const number = lexemes.findLastIndex(({ type }, index) => index < at && type === 'number');
    return lexemes.slice(number + 1, at).every(({ type }) => type === 'unknown');
  }

  private accept(value: Expression, start: number): void {
    const { cursor } = this;
    const previous = cursor.current;
    if (previous && !contains(value, previous)) this.setAside(previous, start);
    cursor.current = value;
  }

  /** A calculation that nothing went on with stays a result; a number that stood alone was about something else. */
  private setAside(previous: Expression, start: number): void {
    if (previous.kind === 'operation') {
      this.cursor.results.push(previous);
      return;
    }
    const separated = this.cursor.lexemes.slice(0, start).some(({ type }) => type === 'separator');
    if (previous.kind === 'number' && !separated) {
      throw isUnclear(previous.value);
    }
  }
}

function isUnclear(value: number): ArithmeticProblem {
  return new ArithmeticProblem(`what ${value} is for is not clear`);
}

/** True where `part` is inside `whole`, the very object. */
function contains(whole: Expression, part: Expression): boolean {
  if (whole === part) return true;
  return whole.kind === 'operation' && (contains(whole.a, part) || contains(whole.b, part));
}

function refersBack(expression: Expression): boolean {
  if (expression.kind === 'operation') return refersBack(expression.a) || refersBack(expression.b);
  return expression.kind === 'earlier' || expression.kind === 'field';
}
