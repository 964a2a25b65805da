import type { ErrorCode } from './error-codes';

const BRAND = Symbol.for('holdfast.error');

export interface HoldfastErrorOptions {
  /** Shown to the caller under `details`; must be JSON and free of secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** True where trying the same thing again may succeed. Default false. */
  readonly retryable?: boolean;
  /** With `retryable`: the earliest sensible next attempt, in milliseconds from now. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The one base of errors whose text a caller may read. Anything else is answered without internals. */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: HoldfastErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HoldfastError';
    this.code = code;
    this.details = options.details;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** By brand and not `instanceof`, so that it holds across module copies and realms. */
export function isHoldfastError(error: unknown): error is HoldfastError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
}

/** Invalid input. `field` is the path of the offending value, as in `args.b` or `tools[1].toolName`. */
export function validationError(field: string, message: string): HoldfastError {
  return new HoldfastError('VALIDATION', message, { details: { field, message } });
}

/** A tool's own failure. Deterministic unless `retryable` is set. */
export function toolError(message: string, options: HoldfastErrorOptions = {}): HoldfastError {
  return new HoldfastError('TOOL_EXECUTION_FAILED', message, options);
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
