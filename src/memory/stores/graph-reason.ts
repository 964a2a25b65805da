import { isHoldfastError, messageOf } from '../../base/errors';
import { toReason } from './unavailable';

/** Descriptions of failures by the messages of the driver and of the sockets below it; the first match counts. */
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/\bECONNREFUSED\b/, 'the connection was refused'],
  [/\b(ENOTFOUND|ENODATA)\b/, 'there is no such host'],
  [/\b(EAI_AGAIN|ESERVFAIL)\b/, 'its name cannot be looked up at the moment'],
  [/\b(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)\b/, 'the host is unreachable'],
  [
    /responded HTTP/i,
    'it answers as a web server; Neo4j accepts bolt connections at another port, usually 7687',
  ],
  [
    /certificate|self-signed|altname|\b(TLS|SSL|EPROTO)\b|wrong version number/i,
    'no trusted TLS connection could be made',
  ],
  [/timed out|ETIMEDOUT|connection in \d+ ?ms|not answer|no answer in time/i, 'it did not answer in time'],
  [/\bECONNRESET\b|\bEPIPE\b|connection was closed|hang up/i, 'it closed the connection'],
];

/**
 * Describes why a Neo4j server cannot be used, in words that may be shown to the caller who sets its address: the
 * field, the host and the failure; never a user or a password. Pure.
 * @param isNamed whether a caller named the address; otherwise it comes from the environment
 */
export function graphReason(error: unknown, uri: string, isNamed: boolean): string {
  const reason = toReason(error);
  if (!isHoldfastError(error) || error.code !== 'STORE_UNAVAILABLE') return reason;
  const texts = collectTexts(error);
  const failure = FAILURES.find(([pattern]) => pattern.test(texts))?.[1];
  if (failure === undefined) return reason;
  const field = isNamed ? 'graphdb.uri' : 'graphdb.uri, or NEO4J_URI';
  return `${readHost(uri)} cannot be reached: ${failure}; check ${field}`;
}

/** Collects codes and messages of an error and of all its causes. */
function collectTexts(error: unknown, depth = 0): string {
  if (error === undefined || depth > 8) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const own = `${typeof code === 'string' ? code : ''} ${messageOf(error)}`;
  return `${own}\n${cause === undefined || cause === null ? '' : collectTexts(cause, depth + 1)}`;
}

function readHost(uri: string): string {
  try {
    return new URL(uri).host;
  } catch {
    return 'the server';
  }
}
