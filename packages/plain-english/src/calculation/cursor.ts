import type { Expression } from './expression';
import type { Lexeme } from './lexer';

/** Thrown inside the grammar and caught by the reader: why a clause is no calculation, or what it lacks. */
export class NoCalculation extends Error {
  constructor(
    reason: string,
    /** The calculator's parameter that has no value. */
    readonly missing?: 'a' | 'b',
    /** What was understood before. */
    readonly found: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason);
  }
}

/** Nesting deeper than this is refused, so that no text can exhaust the stack. */
const MAX_DEPTH = 60;

/** A place in the lexemes, and what `it` means there. */
export class Cursor {
  at = 0;
  private depth = 0;

  constructor(
    private readonly lexemes: readonly Lexeme[],
    /** The value that `it` or a missing operand stands for. */
    public current: Expression | undefined,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.lexemes.length;
  }

  peek(offset = 0): Lexeme | undefined {
    return this.lexemes[this.at + offset];
  }

  isNext(type: Lexeme['type'], offset = 0): boolean {
    return this.peek(offset)?.type === type;
  }

  /** Takes the next lexeme where it is one of these particles. */
  particle(...words: readonly string[]): string | undefined {
    const next = this.peek();
    if (next?.type !== 'particle' || !words.includes(next.word)) return undefined;
    this.at++;
    return next.word;
  }

  /** What is read from here on; where that is nothing, the place stays. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.at;
    const found = read();
    if (found === undefined) this.at = start;
    return found;
  }

  nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new NoCalculation('the calculation is nested too deeply');
    try {
      return read();
    } finally {
      this.depth--;
    }
  }
}
