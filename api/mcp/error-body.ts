import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { HoldfastError } from '../../src/base/errors';
import { ERROR_TABLE } from '../http/error-table';
import { textOf } from './protocol-errors';

/**
 * Builds the JSON-RPC error of a request whose messages were not read: its JSON is malformed, or its caller may not send it.
 * Pure.
 */
export function toErrorBody(error: HoldfastError): object {
  return {
    jsonrpc: '2.0',
    id: null,
    error: { code: numberOf(error), message: textOf(error), data: { code: error.code } },
  };
}

function numberOf({ code }: HoldfastError): ProtocolErrorCode {
  if (code === 'MALFORMED_JSON') return ProtocolErrorCode.ParseError;
  return ERROR_TABLE[code].status < 500 ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError;
}
