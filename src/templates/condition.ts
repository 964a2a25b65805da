import { referencesOf, type TemplateExpression, type TemplateReference } from './expression';
import { ExpressionReader } from './expression-reader';
import { unescapeText, matchAt } from './json-escapes';
import { isKeptInteger } from './kept-numbers';

/** A condition that cannot be parsed or evaluated. It is a plain Error, so that a workflow can throw it. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
}

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'contains';

/** The syntax tree of a condition. */
export type Condition =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'reference'; readonly expression: TemplateExpression }
  | { readonly kind: 'not'; readonly operand: Condition }
  | { readonly kind: 'all' | 'any'; readonly operands: readonly Condition[] }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Condition;
      readonly right: Condition;
    };

/** Braces come last: they are found only if they have no expression. */
const TOKEN =
  /(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(&&|\|\||==|!=|<=|>=|[<>!()])|([A-Za-z]+)|(\{\{[^{}]*\}\}))/y;
const SPACE = /\s*/y;
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'contains']);
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const MAX_LEVELS = 50;

interface Token {
  readonly kind: 'reference' | 'text' | 'number' | 'symbol' | 'word' | 'braces';
  readonly text: string;
  readonly expression?: TemplateExpression;
}

const KINDS = ['text', 'number', 'symbol', 'word', 'braces'] as const;

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const afterSpace = (at: number): number => at + (matchAt(SPACE, source, at)?.[0].length ?? 0);
  let at = afterSpace(0);
  while (at < source.length) {
    const token = readToken(source, at);
    if (token === undefined)
      throw new ConditionError(`cannot be read from "${source.slice(at, at + 20).trim()}" on`);
    tokens.push(token);
    at = afterSpace(at + token.text.length);
  }
  return tokens;
}

function readToken(source: string, at: number): Token | undefined {
  const expression = source.startsWith('{{', at) ? new ExpressionReader(source, at).read() : undefined;
  if (expression !== undefined) return { kind: 'reference', text: expression.text, expression };
  const match = matchAt(TOKEN, source, at);
  if (match === undefined) return undefined;
  return { kind: KINDS.find((_, index) => match[index + 1] !== undefined) ?? 'word', text: match[0] };
}

/** Parses one condition. `||` binds weakest, then `&&`, `!` and comparisons. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #level = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Condition {
    const condition = this.#parseAny();
    const left = this.#tokens[this.#at];
    if (left !== undefined) throw new ConditionError(`"${left.text}" is not expected there`);
    return condition;
  }

  #parseAny(): Condition {
    return this.#parseList('any', '||', () => this.#parseList('all', '&&', () => this.#parseNot()));
  }

  #parseList(kind: 'all' | 'any', separator: string, next: () => Condition): Condition {
    const first = next();
    const operands = [first];
    while (this.#take(separator)) operands.push(next());
    return operands.length === 1 ? first : { kind, operands };
  }

  #parseNot(): Condition {
    let negations = 0;
    while (this.#take('!')) negations += 1;
    const operand = this.#parseComparison();
    if (negations === 0) return operand;
    const negated: Condition = { kind: 'not', operand };
    return negations % 2 === 1 ? negated : { kind: 'not', operand: negated };
  }

  #parseComparison(): Condition {
    const left = this.#parseOperand();
    const operator = this.#tokens[this.#at]?.text ?? '';
    if (!COMPARISONS.has(operator) || this.#tokens[this.#at]?.kind === 'text') return left;
    this.#at += 1;
    return { kind: 'compare', operator: operator as Comparison, left, right: this.#parseOperand() };
  }

  #parseOperand(): Condition {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new ConditionError('ends where a value is expected');
    this.#at += 1;
    if (token.expression !== undefined) return { kind: 'reference', expression: token.expression };
    if (token.kind === 'braces') throw new ConditionError(`${token.text} is not a reference`);
    if (token.kind === 'text') return { kind: 'value', value: unescapeText(token.text.slice(1, -1)) };
    if (token.kind === 'number') return { kind: 'value', value: readNumber(token.text) };
    if (token.kind === 'word' && WORDS.has(token.text))
      return { kind: 'value', value: WORDS.get(token.text) };
    if (token.text === '(') return this.#parseGroup();
    throw new ConditionError(`"${token.text}" is not expected there`);
  }

  #parseGroup(): Condition {
    this.#level += 1;
    if (this.#level > MAX_LEVELS) throw new ConditionError(`is nested more than ${MAX_LEVELS} levels deep`);
    const inner = this.#parseAny();
    this.#level -= 1;
    if (!this.#take(')')) throw new ConditionError('lacks a closing parenthesis');
    return inner;
  }

  #take(symbol: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'symbol' || token.text !== symbol) return false;
    this.#at += 1;
    return true;
  }
}

/** Reads a number as `parseJson` does. */
function readNumber(text: string): number | string {
  if (isKeptInteger(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new ConditionError(`"${text.slice(0, 20)}" is too large a number`);
  return value;
}

/**
 * Parses a condition such as `{{fetch.result.status}} == 200 && !({{input.quiet}})`. Values are references, numbers,
 * quoted texts, `true`, `false` and `null`; operators are `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `!`, `&&` and
 * `||`. An integer that a double does not hold becomes the text of its digits. Pure; takes time proportional to the length of the
 * text.
 * @throws ConditionError
 */
export function parseCondition(source: string): Condition {
  return new Parser(tokenize(source)).parse();
}

/** Lists every reference in a condition, in order. */
export function conditionReferences(condition: Condition): TemplateReference[] {
  switch (condition.kind) {
    case 'value':
      return [];
    case 'reference':
      return referencesOf(condition.expression);
    case 'not':
      return conditionReferences(condition.operand);
    case 'all':
    case 'any':
      return condition.operands.flatMap(conditionReferences);
    case 'compare':
      return [...conditionReferences(condition.left), ...conditionReferences(condition.right)];
  }
}
