/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a JSON text that starts with a bracket ends, by counting brackets outside strings; undefined where it does not. */
export function findBalancedEnd(text: string, start: number, limit = text.length): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < limit; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Finds JSON texts. Stops looking when failed attempts have read the text a few times over, so that it stays linear. */
export class JsonFinder {
  private allowance: number;

  constructor(private readonly text: string) {
    this.allowance = text.length * 8 + 1_000;
  }

  /** The JSON object or array that starts here. */
  at(start: number): { readonly end: number; readonly value: unknown } | undefined {
    if (this.allowance <= 0) return undefined;
    const end = findBalancedEnd(this.text, start);
    this.allowance -= (end ?? this.text.length) - start;
    if (end === undefined) return undefined;
    try {
      return { end, value: JSON.parse(this.text.slice(start, end)) as unknown };
    } catch {
      return undefined;
    }
  }
}

const NAME = /(?:\.\.?)(?:\*|[\p{L}_][\p{L}\p{N}_-]*)|\.\.(?=\[)/uy;
const MAX_BRACKET = 500;

/**
 * Where the JSONPath query that starts here with `$` ends. A lone `$` counts where no digit follows, as `$5` is money.
 */
export function findJsonPath(source: string, start: number): number | undefined {
  let at = start + 1;
  for (;;) {
    NAME.lastIndex = at;
    const name = NAME.exec(source)?.[0];
    if (name !== undefined) {
      at += name.length;
      continue;
    }
    if (source[at] !== '[') break;
    const end = findBracketEnd(source, at);
    if (end === undefined) break;
    at = end;
  }
  if (at > start + 1) return at;
  const next = source[at];
  return next === undefined || /[\s,.;:!?)]/.test(next) ? at : undefined;
}

function findBracketEnd(source: string, start: number): number | undefined {
  // Names in a query are mostly in single quotes, which JSON does not know.
  const limit = Math.min(source.length, start + MAX_BRACKET);
  const text = source.slice(start, limit).replaceAll("'", '"');
  const end = findBalancedEnd(text, 0);
  return end === undefined ? undefined : start + end;
}
