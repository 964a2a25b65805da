export interface RequestedCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call that runs as a local activity. */
export function calculator(operation: string, a: unknown, b: unknown): RequestedCall {
  return { toolName: 'calculator', args: { operation, a, b } };
}

/** A call that runs as a regular activity. */
export function apiCall(url: string): RequestedCall {
  return { toolName: 'api_call', args: { url, method: 'GET' } };
}

/** A call with an effect, which must not be sent twice. */
export function apiPost(url: string): RequestedCall {
  return { toolName: 'api_call', args: { url, method: 'POST', body: { order: 1 } } };
}
