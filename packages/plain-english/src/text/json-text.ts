import { spend } from '../allowance';

/** Work of looking for the end of a JSON text, a character. */
const SCAN_COST = 0.005;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a JSON text that starts with a bracket ends, by counting brackets outside strings; undefined if it does not. */
function findBalancedEnd(text: string, start: number, limit = text.length): number | undefined {
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

/** The JSON object or array that starts here. */
export function findJson(
  text: string,
  start: number,
): { readonly end: number; readonly value: unknown } | undefined {
  const end = findBalancedEnd(text, start);
  spend(SCAN_COST * ((end ?? text.length) - start));
  const json = end === undefined ? undefined : parseJson(text.slice(start, end));
  return end === undefined || !json ? undefined : { end, value: json.value };
}

/** The value of a JSON text; undefined for another text. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const NAME = /(?:\.\.?)(?:\*|[\p{L}_][\p{L}\p{N}_-]*)|\.\.(?=\[)/uy;
const MAX_BRACKET = 500;

/**
 * Where the JSONPath query that starts here with `$` ends. A lone `$` counts if no digit follows, as `$5` is money.
 */
export function findJsonPath(source: string, start: number): number | undefined {
  let at = start + 1;
  for (;;) {
    NAME.lastIndex = at;
    const name = NAME.exec(source)?.[0];
    const end = name === undefined ? findBracketEnd(source, at) : at + name.length;
    if (end === undefined) break;
    at = end;
  }
  if (at > start + 1) return at;
  const next = source[at];
  return next === undefined || /[\s,.;:!?)]/.test(next) ? at : undefined;
}

function findBracketEnd(source: string, start: number): number | undefined {
  if (source[start] !== '[') return undefined;
  // Names in a query are mostly in single quotes, which JSON does not know.
  const limit = Math.min(source.length, start + MAX_BRACKET);
  const text = source.slice(start, limit).replaceAll("'", '"');
  const end = findBalancedEnd(text, 0);
  return end === undefined ? undefined : start + end;
}
