import type { SourceProblem } from './sandbox';

/** Code made from source text. Its value is `async (args) => …`. */
export interface SourceForm {
  readonly code: string;
  /** Whether the text is one expression. If the value of the expression is a function, that function is the tool. */
  readonly isExpression: boolean;
}

/** The number of lines before the caller's first line in all code that is made here. */
export const PRECEDING_LINES = 1;
/** The number of lines after the caller's last line. */
const FOLLOWING_LINES = 1;

/** Parses code without running it. The position in the result refers to this code. */
export type Compile = (code: string) => SourceProblem | undefined;

interface Wrapper {
  readonly open: string;
  readonly close: string;
}

/**
 * A form is accepted only if its text parses inside both of its wrappers. They differ in the token that may follow
 * the text (`)` or `,` in the first, `:` in the second; nothing else may follow the body of an arrow function). So
 * text that closes its wrapper early and opens another one cannot parse in both.
 */
interface Wrappers {
  readonly used: Wrapper;
  readonly counterProof: Wrapper;
}

const EXPRESSION: Wrappers = {
  used: { open: '(async (args) => (\n', close: '\n))' },
  counterProof: { open: '(async (args) => (0 ?\n', close: '\n: 0))' },
};
/**
 * The wrappers for the text of a method whose `async` was replaced by blanks. Lines may be between `function` and its
 * name.
 */
const METHOD: Wrappers = {
  used: { open: '(async (args) => (function\n', close: '\n))' },
  counterProof: { open: '(async (args) => (0 ? function\n', close: '\n: 0))' },
};
const ASYNC_METHOD: Wrappers = {
  used: { open: '(async (args) => (async function\n', close: '\n))' },
  counterProof: { open: '(async (args) => (0 ? async function\n', close: '\n: 0))' },
};
const BODY: Wrappers = {
  used: { open: '(async (args) => {\n', close: '\n})' },
  counterProof: { open: '(0 ? async (args) => {\n', close: '\n} : 0)' },
};

const METHOD_START = /^\s*(async\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*\(/u;

/** Finds the accepted form of a text. If no form fits, returns the problem of the form that parsed furthest. */
export function recogniseForm(source: string, compile: Compile): SourceForm | SourceProblem {
  if (source.trim() === '') return { message: 'the code is empty', line: 1, column: 1 };
  let furthest: SourceProblem | undefined;
  for (const { text, wrappers } of candidates(source)) {
    const problem = tryForm(text, wrappers, compile);
    if (problem === undefined) {
      const code = wrappers.used.open + text + wrappers.used.close;
      return { code, isExpression: wrappers !== BODY };
    }
    if (furthest === undefined || isAfter(problem, furthest)) furthest = problem;
  }
  return furthest ?? { message: 'the code does not parse', line: 1, column: 1 };
}

/** The number of lines of the caller's text in code that is made here. */
export function countSourceLines(code: string): number {
  return code.split('\n').length - PRECEDING_LINES - FOLLOWING_LINES;
}

export function isProblem(outcome: SourceForm | SourceProblem): outcome is SourceProblem {
  return 'message' in outcome;
}

function* candidates(source: string): Generator<{ text: string; wrappers: Wrappers }> {
  for (const text of withoutTail(source)) yield { text, wrappers: EXPRESSION };
  const method = METHOD_START.exec(source);
  if (method !== null) {
    const asyncWord = method[1];
    const text = asyncWord === undefined ? source : source.replace(/async/, '     ');
    yield { text: trimTail(text), wrappers: asyncWord === undefined ? METHOD : ASYNC_METHOD };
  }
  yield { text: source, wrappers: BODY };
}

const MAX_TRAILING_COMMENTS = 4;

/**
 * Yields the text without semicolons at its end, then without comments at its end, because neither may follow an
 * expression inside parentheses. A cut inside a string or a template leaves it open, so the result does not parse.
 */
function* withoutTail(source: string): Generator<string> {
  let text = trimTail(source);
  yield text;
  for (let cuts = 0; cuts < MAX_TRAILING_COMMENTS; cuts += 1) {
    const lastLine = text.lastIndexOf('\n') + 1;
    const start = text.endsWith('*/') ? text.lastIndexOf('/*') : text.lastIndexOf('//');
    if (start < (text.endsWith('*/') ? 0 : lastLine)) return;
    text = trimTail(text.slice(0, start));
    yield text;
  }
}

/**
 * Removes semicolons and blanks at the end. It is a loop because a regular expression takes quadratic time on many
 * blanks.
 */
function trimTail(text: string): string {
  let end = text.length;
  while (end > 0 && /[;\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function tryForm(text: string, wrappers: Wrappers, compile: Compile): SourceProblem | undefined {
  const problem = compileIn(text, wrappers.used, compile);
  if (problem !== undefined) return problem;
  const counterProblem = compileIn(text, wrappers.counterProof, compile);
  if (counterProblem === undefined) return undefined;
  return { ...counterProblem, message: 'unexpected text: the code ends before it' };
}

function compileIn(text: string, wrapper: Wrapper, compile: Compile): SourceProblem | undefined {
  const problem = compile(wrapper.open + text + wrapper.close);
  if (problem === undefined) return undefined;
  const lines = text.split('\n');
  const line = problem.line - PRECEDING_LINES;
  if (line > lines.length) {
    const lastLine = lines[lines.length - 1] ?? '';
    return { message: 'unexpected end of the code', line: lines.length, column: lastLine.length + 1 };
  }
  return line < 1 ? { ...problem, line: 1, column: 1 } : { ...problem, line };
}

function isAfter(one: SourceProblem, other: SourceProblem): boolean {
  return one.line > other.line || (one.line === other.line && one.column > other.column);
}
