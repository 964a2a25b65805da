import { isGrpcServiceError } from '@temporalio/client';
import { messageOf } from '../src/base/errors';
import { NOT_FOUND, PERMISSION_DENIED } from './grpc-status';

const UNAUTHENTICATED = 16;

export interface ConnectFailure {
  /** `error` for a failure that does not end by waiting, such as refused credentials. */
  readonly level: 'warn' | 'error';
  readonly message: string;
}

/** Describes why a process could not connect to Temporal: the server is away, or it refuses the process. */
export function describeConnectFailure(error: unknown): ConnectFailure {
  const code = codeOf(error);
  if (code === NOT_FOUND) {
    return { level: 'error', message: 'Temporal does not know the namespace; trying again' };
  }
  if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) {
    return { level: 'error', message: 'Temporal refuses the credentials; trying again' };
  }
  return { level: 'warn', message: 'Temporal is not reachable; trying again' };
}

/** The gRPC status. Where connecting itself fails, the SDK reports it in the text of the error alone. */
function codeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  const text = messageOf(error);
  if (/unauthenticated/i.test(text)) return UNAUTHENTICATED;
  return /permission_?\s?denied/i.test(text) ? PERMISSION_DENIED : undefined;
}
