import type { Expression } from './expression';
import type { Lexeme } from './lexer';

/** Thrown inside the grammar and caught by `parseProgram`: why a clause is no calculation, or what it lacks. */
export class ArithmeticProblem extends Error {
  constructor(
    readonly reason: string,
    /** The calculator's parameter that has no value. */
    readonly missing?: 'a' | 'b' | 'operation',
    /** True where no reading of the sentence can help, as for what the calculator cannot do. */
    readonly final = false,
    /** What was understood before. */
    readonly found: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason);
  }
}

/** What a calculation may refer to from before its clause. */
export interface ArithmeticContext {
  /** True where a step before gave a value that `it` can mean. */
  readonly hasEarlier: boolean;
  /** True where that value is data with named parts. */
  readonly hasFields: boolean;
}

/** Nesting deeper than this is refused, so that no text can exhaust the stack. */
const MAX_DEPTH = 60;

/** What the parts of the grammar need of the whole, which is made of them. */
export interface Grammar {
  operand(cursor: Cursor): Expression | undefined;
  expression(cursor: Cursor, minPrecedence?: number): Expression | undefined;
}

/** A place in the lexemes, and what `it` means there. */
export class Cursor {
  at = 0;
  /** The value that a pronoun or a missing operand stands for. */
  current: Expression | undefined;
  /** True where the value before began with `from`, so that `take` goes off it. */
  startsFrom = false;
  /** Results of separate calculations. */
  readonly results: Expression[] = [];
  private depth = 0;

  constructor(
    readonly lexemes: readonly Lexeme[],
    readonly context: ArithmeticContext,
    private readonly grammar: Grammar,
  ) {}

  /** The next operand, if there is one. */
  operand(): Expression | undefined {
    return this.grammar.operand(this);
  }

  /** The next expression, if there is one. */
  expression(minPrecedence?: number): Expression | undefined {
    return this.grammar.expression(this, minPrecedence);
  }

  peek(offset = 0): Lexeme | undefined {
    return this.lexemes[this.at + offset];
  }

  /** Takes the next lexeme where it is one of these particles. */
  particle(...words: readonly string[]): string | undefined {
    const next = this.peek();
    if (next?.type !== 'particle' || !words.includes(next.word)) return undefined;
    this.at++;
    return next.word;
  }

  /** What `it` means here. */
  earlier(): Expression | undefined {
    return this.current ?? (this.context.hasEarlier ? { kind: 'earlier', back: 1 } : undefined);
  }

  /** Passes words such as units: at most `most`, and only where something of the grammar follows. */
  skipUnknown(most = 3): void {
    for (let count = 0; count < most && this.peek()?.type === 'unknown'; count++) this.at++;
  }

  /** What is read from here on; where that is nothing, the place stays. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.at;
    const found = read();
    if (found === undefined) this.at = start;
    return found;
  }

  nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH)
      throw new ArithmeticProblem('the calculation is nested too deeply', undefined, true);
    try {
      return read();
    } finally {
      this.depth--;
    }
  }
}

export function cannot(what: string): ArithmeticProblem {
  return new ArithmeticProblem(
    `${what} cannot be calculated: the calculator adds, subtracts, multiplies and divides`,
    undefined,
    true,
  );
}
