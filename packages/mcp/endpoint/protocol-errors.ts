import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../../src/base/error-codes';
import { type HoldfastError, isHoldfastError } from '../../../src/base/errors';
import { ERROR_TABLE } from '../../../api/http/error-table';

/** What is shown of an error. */
export type ShownError = Pick<HoldfastError, 'code' | 'message' | 'details'>;

/** Errors of what a request names. */
const INVALID_PARAMS: readonly ErrorCode[] = [
  'ACCESS_DENIED',
  'MEMORY_NOT_FOUND',
  'RUN_NOT_FOUND',
  'TOOL_NOT_FOUND',
  'WORKFLOW_NOT_FOUND',
];
/** Errors of the service, about which a model that calls a tool can do nothing. */
const SERVICE_ERRORS: readonly ErrorCode[] = [
  'CONFIGURATION',
  'EMBEDDER_UNAVAILABLE',
  'ENGINE_UNAVAILABLE',
  'INTERNAL',
  'MEMORY_UNAVAILABLE',
  'REQUEST_ABANDONED',
  'SERVICE_BUSY',
  'STORE_UNAVAILABLE',
];
const PROTOCOL_CODES: ReadonlyMap<ErrorCode, ProtocolErrorCode> = new Map([
  ...INVALID_PARAMS.map((code) => [code, ProtocolErrorCode.InvalidParams] as const),
  ...SERVICE_ERRORS.map((code) => [code, ProtocolErrorCode.InternalError] as const),
]);

/**
 * Whether an error of a call is one of its tool, which a model reads and may react to. All others are errors of the protocol.
 * Pure.
 */
export function isToolFailure(error: unknown): error is HoldfastError {
  return isHoldfastError(error) && !PROTOCOL_CODES.has(error.code);
}

/** The text of an error for clients, without internals, and with the argument that does not fit. Pure. */
export function textOf({ code, message, details }: ShownError): string {
  if (code === 'INTERNAL' || code === 'CONFIGURATION') return ERROR_TABLE[code].detail ?? message;
  const field = code === 'VALIDATION' ? details?.['field'] : undefined;
  return typeof field !== 'string' || message.includes(field) ? message : `${field}: ${message}`;
}

/** Converts any error to one of the protocol. An error that is not expected is sent without its message. Pure. */
export function toProtocolError(error: HoldfastError): ProtocolError {
  const { code, details } = error;
  const number = PROTOCOL_CODES.get(code) ?? ProtocolErrorCode.InvalidParams;
  return new ProtocolError(number, textOf(error), { code, details });
}
