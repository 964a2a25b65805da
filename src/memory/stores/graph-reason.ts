import { isHoldfastError, messageOf } from '../../base/errors';
import { reasonOf } from './unavailable';

/** By what the driver and the sockets below it say; the first that fits. */
const HAPPENED: readonly (readonly [RegExp, string])[] = [
  [/\bECONNREFUSED\b/, 'the connection was refused'],
  [/\b(ENOTFOUND|ENODATA)\b/, 'there is no such host'],
  [/\b(EAI_AGAIN|ESERVFAIL)\b/, 'its name cannot be looked up at the moment'],
  [/\b(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)\b/, 'there is no way to the host'],
  [
    /responded HTTP/i,
    'it answers as a web server; Neo4j takes connections of bolt at another port, usually 7687',
  ],
  [
    /certificate|self-signed|altname|\b(TLS|SSL|EPROTO)\b|wrong version number/i,
    'no TLS connection that can be trusted could be made',
  ],
  [/timed out|ETIMEDOUT|connection in \d+ ?ms|not answer|no answer in time/i, 'it did not answer in time'],
  [/\bECONNRESET\b|\bEPIPE\b|connection was closed|hang up/i, 'it closed the connection'],
];

/**
 * Why a Neo4j server cannot be used, in words that may be shown to whoever sets its address: the field, the host, and what
 * happened there; never a user or a password. Pure.
 * @param isNamed whether the address is the caller's; else it is that of the environment
 */
export function graphReason(error: unknown, uri: string, isNamed: boolean): string {
  const reason = reasonOf(error);
  if (!isHoldfastError(error) || error.code !== 'STORE_UNAVAILABLE') return reason;
  const said = textsOf(error);
  const happened = HAPPENED.find(([pattern]) => pattern.test(said))?.[1];
  if (happened === undefined) return reason;
  const field = isNamed ? 'graphdb.uri' : 'graphdb.uri, or NEO4J_URI';
  return `${hostOf(uri)} cannot be reached: ${happened}; check ${field}`;
}

/** Of an error and all below it. */
function textsOf(error: unknown, depth = 0): string {
  if (error === undefined || depth > 8) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const own = `${typeof code === 'string' ? code : ''} ${messageOf(error)}`;
  return `${own}\n${cause === undefined || cause === null ? '' : textsOf(cause, depth + 1)}`;
}

function hostOf(uri: string): string {
  try {
    return new URL(uri).host;
  } catch {
    return 'the server';
  }
}
