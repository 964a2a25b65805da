import { JSONPathEnvironment, type JSONValue } from 'json-p3';

/** Longest query taken, characters. The parser recurses, so its stack grows with the text. */
const MAX_QUERY_LENGTH = 2_048;

const environment = new JSONPathEnvironment();

/** All values that a JSONPath query (RFC 9535) finds, in document order; undefined where the query cannot be answered. */
export function queryJson(path: string, document: unknown): readonly unknown[] | undefined {
  if (path.length > MAX_QUERY_LENGTH || !path.startsWith('$')) return undefined;
  try {
    const query = environment.compile(path);
    // `query` spreads every list of matches into a call, which long lists overflow; `lazyQuery` does not.
    return Array.from(query.lazyQuery(document as JSONValue), ({ value }) => value);
  } catch {
    return undefined;
  }
}
