import type { ErrorCode } from './error-codes';

const BRAND = Symbol.for('holdfast.error');

export interface HoldfastErrorOptions {
  /** The caller sees this under `details`, so it must be JSON and must not contain secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** True if another attempt may succeed. Default false. */
  readonly retryable?: boolean;
  /** With `retryable`: the wait before the earliest sensible attempt, milliseconds. */
  readonly retryAfterMs?: number;
  /** With `retryable`: what was asked for was not begun, so it is attempted again even if no attempt is left. Default false. */
  readonly neverBegan?: boolean;
  readonly cause?: unknown;
}

/** The base of all errors whose message a caller may read. The API answers any other error without its message. */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly neverBegan: boolean;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: HoldfastErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HoldfastError';
    this.code = code;
    this.details = options.details;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.neverBegan = options.neverBegan ?? false;
  }
}

/**
 * Whether an error is a HoldfastError. It checks a brand and not `instanceof`, so that it works across module copies
 * and realms.
 */
export function isHoldfastError(error: unknown): error is HoldfastError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
}

/**
 * Creates the error for invalid input.
 * @param field path of the invalid value, as in `args.b` or `tools[1].toolName`
 */
export function validationError(field: string, message: string): HoldfastError {
  return new HoldfastError('VALIDATION', message, { details: { field, message } });
}

/** Creates the error for a failure of a tool. It is final unless `retryable` is set. */
export function toolError(message: string, options: HoldfastErrorOptions = {}): HoldfastError {
  return new HoldfastError('TOOL_EXECUTION_FAILED', message, options);
}

/**
 * Copies an error with more details. What it is about has begun by now, so that is left out of the copy.
 * @param message of the copy
 */
export function withDetails(
  { code, message: ownMessage, details, retryable, retryAfterMs, cause }: HoldfastError,
  more: Readonly<Record<string, unknown>>,
  message = ownMessage,
): HoldfastError {
  return new HoldfastError(code, message, {
    details: { ...details, ...more },
    retryable,
    retryAfterMs,
    cause,
  });
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether recursive code has run out of stack. It checks the name and not the class, because the error is of the realm whose function
 * was called last.
 */
export function isStackOverflow(error: unknown): boolean {
  return (
    (error as { name?: unknown } | null | undefined)?.name === 'RangeError' &&
    /call stack/i.test(messageOf(error))
  );
}

/**
 * The code of an error of Node or of a driver; empty if it has none. Errors are recognised by code and not by class,
 * because one process may have several copies of a class, for example in a test runner.
 */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
