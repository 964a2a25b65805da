import { isGrpcServiceError } from '@temporalio/client';

/** Tests the gRPC status that an error or one of its causes has. False where none has one. */
export function testGrpcStatus(error: unknown, test: (status: number) => boolean): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at)) return test(at.code);
  }
  return false;
}
