import { jsonLength } from '../json-length';
import type { ToolCall, ToolLimits } from './tools';
import type { StepQueue } from '../queues';
import { isSafeMethod } from './approval-needs';

const MAX_INLINE_DOCUMENT_LENGTH = 16_384;
const MAX_PATH_CHARACTERS = 2_048;

/**
 * True for a call that is pure and takes about a millisecond. It runs as a local activity within the workflow task, and
 * after a crash it runs again. A call with an effect must never be inline.
 * This function is part of the workflows' determinism: a replay of a run in flight has to come to the same answer, so a
 * change here goes behind `patched`.
 */
export function isInlineCall(call: ToolCall): boolean {
  if (call.implementation.kind !== 'builtin') return false;
  switch (call.toolName) {
    case 'calculator':
      return true;
    case 'json_reader':
      return jsonLength(call.args) <= MAX_INLINE_DOCUMENT_LENGTH && isCheapPath(call.args['path']);
    default:
      return false;
  }
}

/** False for filters, descendants and repeated selectors, which can take long even on a small document. */
function isCheapPath(path: unknown): boolean {
  return typeof path === 'string' && path.length <= MAX_PATH_CHARACTERS && !/[?,]|\.\./.test(path);
}

/**
 * The limits of a call: those of its run, or the lower time limit of the remote server that it goes to. The registration of a tool of
 * another worker replaces the limit that comes from the settings, and may only shorten one of the request. Pure.
 */
export function limitsOfCall({ implementation }: ToolCall, limits: ToolLimits): ToolLimits {
  if (implementation.kind === 'external') {
    const { timeoutMs = limits.timeoutMs } = implementation;
    const isOwn = limits.source === 'TOOL_TIMEOUT_MS' || timeoutMs < limits.timeoutMs;
    return isOwn && timeoutMs !== limits.timeoutMs ? { ...limits, timeoutMs, source: 'timeoutMs' } : limits;
  }
  const serverMs = implementation.kind === 'mcp' ? implementation.timeoutMs : undefined;
  return serverMs === undefined || serverMs >= limits.timeoutMs
    ? limits
    : { ...limits, timeoutMs: serverMs, source: 'toolTimeoutMs' };
}

/** The kind of task queue for a tool call that is a regular activity. */
export function queueOfCall({ toolName, implementation }: ToolCall): StepQueue {
  switch (implementation.kind) {
    case 'source':
      return 'sandbox';
    case 'builtin':
      // A document that is too long for an inline call is searched in the sandbox.
      return toolName === 'json_reader' ? 'sandbox' : 'io';
    case 'mcp':
    case 'http':
    case 'external':
    case 'none':
      return 'io';
  }
}

/**
 * True if a request may be sent again after it may have reached its server: its method is safe (RFC 9110 §9.2.1), or
 * its caller says that it is `repeatable`. Pure.
 * @param request a tool over HTTP, or arguments of `api_call`, which need not be checked yet
 */
export function isRepeatableRequest({
  method,
  repeatable,
}: {
  readonly method?: unknown;
  readonly repeatable?: unknown;
}): boolean {
  return repeatable === true || isSafeMethod(method ?? 'GET');
}

/** False for a call that must not be made again while the outcome of the first attempt is unknown. Pure. */
export function mayRunTwice({ toolName, implementation, args, annotations }: ToolCall): boolean {
  // What a remote tool does is known from its description alone.
  if (implementation.kind === 'mcp') return annotations?.readOnly === true;
  if (implementation.kind === 'external')
    return implementation.repeatable === true || annotations?.readOnly === true;
  if (implementation.kind === 'http')
    return annotations?.readOnly === true || isRepeatableRequest(implementation);
  // A registered tool runs in the sandbox, which has no access to the network or to files.
  return implementation.kind !== 'builtin' || toolName !== 'api_call' || isRepeatableRequest(args);
}
