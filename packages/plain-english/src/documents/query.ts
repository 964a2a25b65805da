import { JSONPathEnvironment, type JSONPathQuery, type JSONValue } from 'json-p3';
import { spend } from '../allowance';

/** Longest query taken, characters. The parser recurses, so its stack grows with the text. */
const MAX_QUERY_LENGTH = 2_048;
/** Parts of a query that repeat the search for each value: a filter or a descent inside a filter, and patterns, which may backtrack. */
const REPEATING = /\[\s*\?.*(?:\?|\.\.|\*|\$|match\s*\(|search\s*\()/s;
/** Work of looking at one value of a document. */
const VALUE_COST = 2;
/** More values than these spend the allowance of any reading. */
const MAX_VALUES = 100_000;

const environment = new JSONPathEnvironment();

/**
 * All values that a JSONPath query (RFC 9535) finds, in document order; undefined if the query cannot be answered, or if it may
 * take longer than a look at each value.
 */
export function queryJson(path: string, document: unknown): readonly unknown[] | undefined {
  const query = compile(path);
  if (query === undefined || isRepeating(path)) return undefined;
  spend(VALUE_COST * (query.singularQuery() ? 1 : countValues(document)));
  try {
    // `query` spreads every list of matches into a call, which long lists overflow; `lazyQuery` does not.
    return Array.from(query.lazyQuery(document as JSONValue), ({ value }) => value);
  } catch {
    return undefined;
  }
}

function isRepeating(path: string): boolean {
  return REPEATING.test(path) || path.split('..').length > 2 || path.split(',').length > 2;
}

function compile(path: string): JSONPathQuery | undefined {
  if (path.length > MAX_QUERY_LENGTH || !path.startsWith('$')) return undefined;
  try {
    return environment.compile(path);
  } catch {
    return undefined;
  }
}

function countValues(document: unknown): number {
  const open = [document];
  let count = 0;
  while (open.length > 0 && count < MAX_VALUES) {
    const value = open.pop();
    count += 1;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner);
  }
  return count;
}
