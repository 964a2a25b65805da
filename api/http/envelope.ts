import { z } from 'zod';
import type { ErrorCode } from '../../src/base/error-codes';
import type { HoldfastError } from '../../src/base/errors';
import { ERROR_TABLE, type ErrorForm } from './error-table';

export const errorEnvelopeSchema = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

export interface SuccessEnvelope {
  readonly success: true;
  readonly data: unknown;
  readonly message: string;
  /** The backing components that were used; present in the areas of memory. */
  readonly tools?: readonly string[];
}

export function success(data: unknown, message: string, tools?: readonly string[]): SuccessEnvelope {
  return { success: true, data, message, tools };
}

const SERVICES: Readonly<Partial<Record<ErrorCode, string>>> = {
  STORE_UNAVAILABLE: 'database',
  EMBEDDER_UNAVAILABLE: 'embedder',
};

/** Returns the details of an error, or builds those that the contract requires, so that adapters need not know them. */
function buildDetails({ code, details, message }: HoldfastError): HoldfastError['details'] {
  const service = SERVICES[code];
  return details ?? (service === undefined ? undefined : { service, reason: message });
}

/** Builds the envelope of an error. @param form that of the error's area @param title differs in some areas */
export function failure(
  error: HoldfastError,
  form: ErrorForm,
  title = ERROR_TABLE[error.code].title,
): ErrorEnvelope {
  const row = ERROR_TABLE[error.code];
  const known = buildDetails(error);
  const details = known === undefined ? {} : { details: { ...known } };
  if (form === 'memory') {
    const explanation = row.status === 500 ? (row.detail ?? error.message) : error.message;
    return { success: false, message: explanation, error: title, ...details };
  }
  return { success: false, message: title, error: row.detail ?? error.message, ...details };
}
