/** The place where a text stops being JSON. Line and column count from 1, the offset from 0, in UTF-16 units. */
export interface JsonProblem {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const SPACE = /[ \t\n\r]{1,4096}/y;
/** Matches a piece at a time: without a bound, megabytes can exhaust the stack of the pattern's interpreter. */
const PLAIN = /[^"\\\u0000-\u001f]{1,4096}/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const SCALAR = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Finds the first place at which `text` breaks the grammar of RFC 8259; undefined for JSON. It exists because not every
 * message of `JSON.parse` has the place, and each version of Node words them differently.
 */
export function findJsonProblem(text: string): JsonProblem | undefined {
  const offset = scan(text);
  if (offset === undefined) return undefined;
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { offset, line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** Works iteratively, with the open brackets on an explicit stack, so that no nesting overflows the call stack. */
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
  /**
   * Skips a string in pieces, because one pattern for a string of megabytes runs out of stack. Stops at the first
   * mistake.
   */
  const skipString = (): boolean => {
    if (!take('"')) return false;
    while (skip(PLAIN) || skip(ESCAPE));
    if (text[at] !== '"') return false;
    at += 1;
    return true;
  };
  const skipKey = (): boolean => skipString() && take(':');

  /** Reads up to the end of a scalar or of an empty container; containers that are not empty stay open. */
  const skipValue = (): boolean => {
    for (;;) {
      if (take('{')) {
        if (take('}')) return true;
        open.push('{');
        if (!skipKey()) return false;
      } else if (take('[')) {
        if (take(']')) return true;
        open.push('[');
      } else {
        return text[at] === '"' ? skipString() : skip(SCALAR);
      }
    }
  };
  if (!skipValue()) return at;
  while (open.length > 0) {
    if (take(',')) {
      if (open.at(-1) === '{' && !skipKey()) return at;
      if (!skipValue()) return at;
    } else if (take(open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
    } else {
      return at;
    }
  }
  skipSpace();
  return at === text.length ? undefined : at;
}
