import type { ToolCall } from './tools';

/** RFC 9110 §9.2.2, but for TRACE, which is not sent. */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const KEY_HEADER = 'idempotency-key';

/**
 * True where sending a request twice does no more than sending it once: its method is idempotent, or it has an
 * `Idempotency-Key` header. Pure.
 * @param args arguments of `api_call`, whether they were checked or not
 */
export function isRepeatableRequest({ method, headers }: ToolCall['args']): boolean {
  const named = method ?? 'GET';
  if (typeof named === 'string' && IDEMPOTENT_METHODS.has(named.toUpperCase())) return true;
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === KEY_HEADER);
}

/** False for a call that must not be made a second time where nothing is known of the first. Pure. */
export function mayRunTwice({ toolName, implementation, args }: ToolCall): boolean {
  // A registered tool runs in the sandbox, from where it reaches nothing.
  return implementation.kind !== 'builtin' || toolName !== 'api_call' || isRepeatableRequest(args);
}
