import { isSafeMethod } from './approval-needs';
import type { ToolCall } from './tools';

/**
 * True if a request may be sent again after it may have reached its server: its method is safe (RFC 9110 §9.2.1), or
 * its caller says that it is `repeatable`. Pure.
 * @param args arguments of `api_call`, which need not be checked yet
 */
export function isRepeatableRequest({ method, repeatable }: ToolCall['args']): boolean {
  return repeatable === true || isSafeMethod(method ?? 'GET');
}

/** False for a call that must not be made again while the outcome of the first attempt is unknown. Pure. */
export function mayRunTwice({ toolName, implementation, args, annotations }: ToolCall): boolean {
  // What a remote tool does is known from its description alone.
  if (implementation.kind === 'mcp') return annotations?.readOnly === true;
  // A registered tool runs in the sandbox, which has no access to the network or to files.
  return implementation.kind !== 'builtin' || toolName !== 'api_call' || isRepeatableRequest(args);
}
