import { tryToParseJson } from '../../base/json/parse';

/** A JSON value at the beginning of a text, and the text after it. */
export interface LeadingJson {
  readonly value: unknown;
  readonly rest: string;
}

/**
 * Reads the JSON object or list with which a text begins; undefined if it does not begin with one. Small models also
 * write an object in two pairs of braces, which is read as the object inside. Pure.
 */
export function readLeadingJson(text: string): LeadingJson | undefined {
  const start = text.trimStart();
  const end = findEnd(start);
  if (end === undefined) return undefined;
  const json = start.slice(0, end);
  const value =
    tryToParseJson(json) ?? (json.startsWith('{{') ? tryToParseJson(json.slice(1, -1)) : undefined);
  return value === undefined ? undefined : { value, rest: start.slice(end) };
}

/** Where the object or list ends with which a text begins; undefined if it has no end, or the text no such beginning. */
function findEnd(text: string): number | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Whether the body of a response is JSON, by its content type. */
export function isJson({ headers }: { readonly headers: { get(name: string): string | null } }): boolean {
  return /\bjson\b/i.test(headers.get('content-type') ?? '');
}
