/** gRPC's codes, which the data plane answers as numbers and the control plane by name. */
const CODES = {
  INVALID_ARGUMENT: { number: 3, status: 400 },
  NOT_FOUND: { number: 5, status: 404 },
  ALREADY_EXISTS: { number: 6, status: 409 },
  OUT_OF_RANGE: { number: 11, status: 400 },
} as const;

export type ErrorName = keyof typeof CODES;

/** A request that Pinecone refuses. */
export class Refusal extends Error {
  readonly code: ErrorName;
  readonly status: number;

  constructor(code: ErrorName, message: string) {
    super(message);
    this.code = code;
    this.status = CODES[code].status;
  }
}

/** `ErrorResponse` of the control plane's description. */
export function controlPlaneBody({ code, status, message }: Refusal): object {
  return { status, error: { code, message } };
}

/** `rpcStatus` of the data plane's description. */
export function dataPlaneBody({ code, message }: Refusal): object {
  return { code: CODES[code].number, message, details: [] };
}
