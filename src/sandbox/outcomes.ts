import { HoldfastError, type HoldfastErrorOptions, toolError } from '../base/errors';
import type { SandboxCall, SandboxResult } from './sandbox';
import type { Outcome } from './thread-pool';

/**
 * After the first refusal the next attempt follows in this time, milliseconds, and after each further one in twice as much, up to the
 * limit. Each waits up to as much longer, so that not all come at once.
 */
const RETRY_AFTER_MS = 250;
const MAX_RETRY_AFTER_MS = 4_000;

/** Returns the value of an outcome, or throws the error of one without a value. `what` names the work in messages. */
export function unwrapValue(outcome: Outcome, call: SandboxCall, what: string): SandboxResult {
  if (outcome.kind !== 'value') throw toError(outcome, call, what);
  return { value: parseValue(outcome, what), logs: outcome.logs };
}

function parseValue({ text, logs }: Extract<Outcome, { kind: 'value' }>, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw toolError(`The result of the ${what} is not JSON`, { ...withLogs(logs), cause: error });
  }
}

/** Converts an outcome without a value to what the caller throws. The reason of an abort need not be an Error. */
export function toError(outcome: Outcome, { timeoutMs, attempt = 1 }: SandboxCall, what: string): unknown {
  switch (outcome.kind) {
    case 'failure':
      return toolError(outcome.message, withLogs(outcome.logs));
    case 'stopped':
      return timeout(`The ${what} did not finish within ${timeoutMs} ms`, withLogs(outcome.logs));
    case 'expired':
      return outcome.hadThread
        ? timeout(`The ${what} did not finish within ${timeoutMs} ms`)
        : timeout(`The ${what} waited ${timeoutMs} ms for a free sandbox thread`, { retryable: true });
    case 'refused':
      return timeout(
        `The ${what} was not begun: its caller has as many calls in the sandbox as it may have`,
        {
          retryable: true,
          neverBegan: true,
          retryAfterMs: waitAfterRefusal(attempt),
        },
      );
    case 'aborted':
      return isTimeout(outcome.reason) ? toTimeout(outcome.reason, what) : outcome.reason;
    case 'crashed':
      return isOutOfMemory(outcome)
        ? toolError(`The ${what} ran out of memory`)
        : toolError('The sandbox thread ended unexpectedly', { retryable: true, cause: outcome.error });
    case 'closed':
      return toolError('The sandbox was closed', { retryable: true });
    case 'value':
    case 'checked':
    case 'rewritten':
      return new HoldfastError('INTERNAL', `Unexpected reply of a sandbox thread: ${outcome.kind}`);
  }
}

function waitAfterRefusal(attempt: number): number {
  const wait = Math.min(MAX_RETRY_AFTER_MS, RETRY_AFTER_MS * 2 ** (attempt - 1));
  return Math.round(wait * (1 + Math.random()));
}

function timeout(message: string, options: HoldfastErrorOptions = {}): HoldfastError {
  return new HoldfastError('TOOL_TIMEOUT', message, options);
}

function withLogs(logs: readonly string[]): { details?: { logs: readonly string[] } } {
  return logs.length === 0 ? {} : { details: { logs } };
}

/** Whether a reason is a timeout: `AbortSignal.timeout` has a DOMException of this name, and the service's deadlines the code. */
function isTimeout(reason: unknown): boolean {
  return hasCode(reason, 'TOOL_TIMEOUT') || has(reason, 'name', 'TimeoutError');
}

function toTimeout(reason: unknown, what: string): unknown {
  return hasCode(reason, 'TOOL_TIMEOUT') ? reason : timeout(`The ${what} did not finish in time`);
}

/** Whether the heap of V8 in the thread was exhausted. */
export function isOutOfMemory(outcome: Outcome): boolean {
  return outcome.kind === 'crashed' && hasCode(outcome.error, 'ERR_WORKER_OUT_OF_MEMORY');
}

function hasCode(error: unknown, code: string): boolean {
  return has(error, 'code', code);
}

function has(value: unknown, key: string, expected: string): boolean {
  return typeof value === 'object' && value !== null && (value as Record<string, unknown>)[key] === expected;
}
