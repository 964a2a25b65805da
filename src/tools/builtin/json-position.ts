/** Where a text stops being JSON. Line and column count from 1, the offset from 0, in UTF-16 units. */
export interface JsonProblem {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const SPACE = /[ \t\n\r]{1,4096}/y;
/** A piece at a time: without a bound, megabytes can exhaust the stack of the pattern's interpreter. */
const PLAIN = /[^"\\\u0000-\u001f]{1,4096}/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const SCALAR = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * The first place at which `text` breaks the grammar of RFC 8259, or undefined for JSON. Exists because not
 * every message of `JSON.parse` tells the place, and each version of Node words them differently.
 */
export function findJsonProblem(text: string): JsonProblem | undefined {
  const offset = scan(text);
  if (offset === undefined) return undefined;
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { offset, line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** Iterative, with the open brackets on a stack of its own, so that no nesting overflows the call stack. */
function scan(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length;
    at += length ?? 0;
    return length !== undefined;
  };
  const skipSpace = (): void => {
    while (skip(SPACE));
  };
  const take = (character: string): boolean => {
    skipSpace();
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  /** Piece by piece, as one pattern for a string of megabytes runs out of stack. Stops at what is wrong. */
  const string = (): boolean => {
    if (!take('"')) return false;
    while (skip(PLAIN) || skip(ESCAPE));
    if (text[at] !== '"') return false;
    at += 1;
    return true;
  };
  const key = (): boolean => string() && take(':');

  /** Reads up to the end of a scalar or of an empty container; containers that are not empty stay open. */
  const value = (): boolean => {
    for (;;) {
      if (take('{')) {
        if (take('}')) return true;
        open.push('{');
        if (!key()) return false;
      } else if (take('[')) {
        if (take(']')) return true;
        open.push('[');
      } else {
        return text[at] === '"' ? string() : skip(SCALAR);
      }
    }
  };
  if (!value()) return at;
  while (open.length > 0) {
    if (take(',')) {
      if (open.at(-1) === '{' && !key()) return at;
      if (!value()) return at;
    } else if (take(open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
    } else {
      return at;
    }
  }
  skipSpace();
  return at === text.length ? undefined : at;
}
