import {
  JSONPathEnvironment,
  JSONPathRecursionLimitError,
  type JSONPathQuery,
  type JSONValue,
} from 'json-p3';
import { toolError } from '../../base/errors';

export interface JsonQuery {
  /** True where the query can name one place at most (RFC 9535 §2.3.5.1). */
  readonly singular: boolean;
  /**
   * True where evaluation takes time about proportional to the document. False for regular expressions, which
   * may backtrack, and for what multiplies its matches: several selectors in one bracket, repeated `..`, and
   * filters that run a query of many results for each candidate.
   */
  readonly bounded: boolean;
  /** True where it looks at every value of a part of the document, at some microseconds each. */
  readonly descends: boolean;
  /** All values found, in document order. */
  evaluate(document: unknown): readonly unknown[];
}

/** Longest query taken, characters. The parser recurses, so its stack grows with the text. */
const MAX_QUERY_LENGTH = 2_048;

/** In a filter's canonical text: wildcard, descent, slice, nested filter, regular expression. */
const UNBOUNDED_IN_FILTER = /\*|\.\.|:|\?|match\(|search\(/;

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
        // Not all at once: that spreads every list of matches into a call, which long lists overflow.
        return Array.from(query.lazyQuery(document as JSONValue), ({ value }) => value);
      } catch (error) {
        throw toolError(`The query ${path} cannot be answered: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

function parse(path: string): JSONPathQuery {
  if (!path.startsWith('$')) throw toolError('path is not a JSONPath query: it must start with $');
  try {
    return environment.compile(path);
  } catch (error) {
    throw toolError(`path is not a JSONPath query: ${reasonOf(error)}`, { cause: error });
  }
}

/** Works on the canonical text of the parts; a string in a filter that looks like an operator only costs time. */
function isBounded({ selectors }: JSONPathQuery['segments'][number]): boolean {
  const text = selectors[0]?.toString() ?? '';
  return selectors.length === 1 && !(text.startsWith('?') && UNBOUNDED_IN_FILTER.test(text.slice(1)));
}

/** A message in the library's words; where a limit of depth was met, in ours. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError || error instanceof JSONPathRecursionLimitError) {
    return 'it, or what it is asked of, is nested too deeply';
  }
  return error instanceof Error ? error.message : String(error);
}
