import { isGrpcServiceError } from '@temporalio/client';

/** Statuses by which the server answers, as gRPC numbers them. */
export const INVALID_ARGUMENT = 3;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const PERMISSION_DENIED = 7;
export const RESOURCE_EXHAUSTED = 8;

/** Tests the gRPC status that an error or one of its causes has. False if none has one. */
export function testGrpcStatus(error: unknown, test: (status: number) => boolean): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at)) return test(at.code);
  }
  return false;
}
