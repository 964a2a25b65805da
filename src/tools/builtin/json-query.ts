import {
  JSONPathEnvironment,
  JSONPathRecursionLimitError,
  type JSONPathQuery,
  type JSONValue,
} from 'json-p3';
import { toolError } from '../../base/errors';

/** What other dialects of JSONPath write, and what RFC 9535 has for it. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/@\.length\s*-\s*1/, 'the last item is $.a[-1]'],
  [/\.length\(\)/, 'length() stands in filters only, as in $.a[?length(@.b) > 2]'],
  [/=~/, 'a pattern is $.a[?search(@.b, "pattern")]'],
  [/\.@/, "such a name is written $['@src']"],
];

export interface JsonQuery {
  /** True if the query can name at most one place (RFC 9535 §2.3.5.1). */
  readonly singular: boolean;
  /**
   * True if the time of evaluation is about proportional to the document. False for regular expressions, which may
   * backtrack, for long filters, and for parts that multiply matches: several selectors in one bracket, repeated `..`,
   * and filters that run a query of many results for each candidate.
   */
  readonly bounded: boolean;
  /** True if the query visits every value of a part of the document, which takes some microseconds each. */
  readonly descends: boolean;
  /** All values found, in document order. */
  evaluate(document: unknown): readonly unknown[];
}

/** Maximum length of a filter, characters: its work for each candidate grows with it. */
const MAX_FILTER_LENGTH = 64;
/** Maximum length of a query, characters. The parser recurses, so its stack grows with the text. */
const MAX_QUERY_LENGTH = 2_048;

/**
 * Parts of a filter's canonical text without a bound: wildcard, descent, slice, nested filter, regular expression, and the
 * root, which may be compared as a whole for each candidate.
 */
const UNBOUNDED_IN_FILTER = /\*|\.\.|:|\?|\$|match\(|search\(/;

const environment = new JSONPathEnvironment();

/** @throws HoldfastError `TOOL_EXECUTION_FAILED` that says where the query is wrong */
export function compileJsonQuery(path: string): JsonQuery {
  if (path.length > MAX_QUERY_LENGTH) {
    throw toolError(`path is longer than the ${MAX_QUERY_LENGTH} characters allowed`);
  }
  const query = parse(path);
  const descents = query.segments.filter((segment) => segment.toString().startsWith('..')).length;
  return {
    singular: query.singularQuery(),
    bounded: descents <= 1 && query.segments.every(isBounded),
    descends: descents > 0,
    evaluate(document) {
      try {
        // The eager query is not used, because it spreads every list of matches into a call, and long lists overflow
        // the stack.
        return Array.from(query.lazyQuery(document as JSONValue), ({ value }) => value);
      } catch (error) {
        throw toolError(`The query ${path} cannot be answered: ${describeFailure(error)}`, { cause: error });
      }
    },
  };
}

function parse(path: string): JSONPathQuery {
  if (!path.startsWith('$'))
    throw toolError('path is not a JSONPath query: it must start with $, as in $.a.b');
  try {
    return environment.compile(path);
  } catch (error) {
    throw toolError(`path is not a JSONPath query: ${describeFailure(error)}${hintForQuery(path)}`, {
      cause: error,
    });
  }
}

/** Reads the canonical text of the parts. A string in a filter that looks like an operator only costs time. */
function isBounded({ selectors }: JSONPathQuery['segments'][number]): boolean {
  const text = selectors[0]?.toString() ?? '';
  if (selectors.length !== 1) return false;
  return (
    !text.startsWith('?') || (text.length <= MAX_FILTER_LENGTH && !UNBOUNDED_IN_FILTER.test(text.slice(1)))
  );
}

/** The library's message, or a text of ours if a limit of depth was reached. */
function describeFailure(error: unknown): string {
  if (error instanceof RangeError || error instanceof JSONPathRecursionLimitError) {
    return 'it, or what it is asked of, is nested too deeply';
  }
  return error instanceof Error ? error.message : String(error);
}

/** Says how RFC 9535 writes what a query that cannot be read may mean, for its error; nothing if that is not known. Pure. */
function hintForQuery(path: string): string {
  const hint = HINTS.find(([pattern]) => pattern.test(path))?.[1];
  return hint === undefined ? '' : `; in RFC 9535 ${hint}`;
}
