import { HoldfastError, isHoldfastError, validationError } from '../../src/base/errors';
import { ERROR_CODES, type ErrorCode } from '../../src/base/error-codes';
import type { RunEvent } from '../../src/contracts/http/run-events';
import { ERROR_TABLE } from '../http/error-table';

/** The body of an error in the form of OpenAI's API. */
export interface OpenAiErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

/** The codes that clients of OpenAI's API know; all other errors have the service's own codes. */
const KNOWN_CODES: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: 'invalid_api_key',
  AGENT_NOT_FOUND: 'model_not_found',
  WORKFLOW_NOT_FOUND: 'model_not_found',
  TOO_MANY_ATTEMPTS: 'rate_limit_exceeded',
  SESSION_BUSY: 'rate_limit_exceeded',
};

/** Converts an error to the body in which OpenAI's API has it. Pure. */
export function toOpenAiError({ code, message, details }: HoldfastError, status: number): OpenAiErrorBody {
  const known = KNOWN_CODES[code];
  const named = details?.['code'];
  const param = known === 'model_not_found' ? 'model' : details?.['field'];
  return {
    error: {
      // The text of an unexpected error may have internals.
      message: status === 500 ? (ERROR_TABLE[code].detail ?? message) : message,
      type: typeOf(status),
      param: typeof param === 'string' ? param : null,
      code: known ?? (code === 'VALIDATION' && typeof named === 'string' ? named : code),
    },
  };
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** The error of a run that ended without a result, as its last event has it. Pure. */
export function toRunFailure(error: RunEvent['error']): {
  readonly failure: HoldfastError;
  readonly status: number;
} {
  const { code, message = 'The run has ended without an answer' } = error ?? {};
  const known = ERROR_CODES.find((each) => each === code) ?? 'INTERNAL';
  return { failure: new HoldfastError(known, message), status: ERROR_TABLE[known].status };
}

/** Creates the error of what the protocol has and this service does not take. */
export function unsupported(field: string, message: string): HoldfastError {
  return new HoldfastError('VALIDATION', message, { details: { field, message, code: 'unsupported' } });
}

/**
 * Runs a request whose invalid fields are named as the protocol names them.
 * @param names the parameter of each field of a request of the service, such as `options.responseSchema`
 */
export async function namingParams<T>(
  names: Readonly<Record<string, string>>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
    const field = String(error.details?.['field']);
    const known = Object.keys(names).find((name) => field === name || isInside(field, name));
    if (known === undefined) throw error;
    const param = names[known] ?? known;
    throw validationError(param, error.message.replaceAll(known, param));
  }
}

function isInside(field: string, name: string): boolean {
  return field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
}
