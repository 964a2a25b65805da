import { findBalancedEnd } from './balanced';

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
