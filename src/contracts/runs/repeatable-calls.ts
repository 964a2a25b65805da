import type { ToolCall } from './tools';

/** The methods of RFC 9110 §9.2.2, except TRACE, which `api_call` does not send. */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const KEY_HEADER = 'idempotency-key';

/**
 * True where a request may be sent twice without further effect: its method is idempotent, or it has an
 * `Idempotency-Key` header. Pure.
 * @param args arguments of `api_call`, which need not be checked yet
 */
export function isRepeatableRequest({ method, headers }: ToolCall['args']): boolean {
  const named = method ?? 'GET';
  if (typeof named === 'string' && IDEMPOTENT_METHODS.has(named.toUpperCase())) return true;
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === KEY_HEADER);
}

/** False for a call that must not be made again while the outcome of the first attempt is unknown. Pure. */
export function mayRunTwice({ toolName, implementation, args, annotations }: ToolCall): boolean {
  // What a remote tool does is known from its description alone.
  if (implementation.kind === 'mcp') return annotations?.readOnly === true;
  // A registered tool runs in the sandbox, which has no access to the network or to files.
  return implementation.kind !== 'builtin' || toolName !== 'api_call' || isRepeatableRequest(args);
}
