import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../src/base/error-codes';
import type { HoldfastError } from '../../src/base/errors';
import { ERROR_TABLE, type ErrorForm } from './error-table';
import { type Approval, approvalSchema } from '../../src/contracts/http/approvals';
import type { StartedRun } from '../../temporal/runs/started-run';

/** The `data` of a response that does not wait for its run. */
export const acceptedRunSchema = z.object({
  runId: z.string().describe('Another name of the trace id'),
  traceId: z.string(),
  workflowId: z.string(),
  status: z
    .string()
    .describe(
      'When the request started or found the run: `running`, `waiting`, or what an earlier request with the same ' +
        'Idempotency-Key has come to',
    ),
  approvals: z.array(approvalSchema).optional().describe('What the run waits for; present if it is known'),
});
export const ACCEPTED_MESSAGE = 'Run accepted';
export const PAUSED_MESSAGE = 'Run waits for an approval';

export const errorEnvelopeSchema = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  code: z.enum(ERROR_CODES).describe('Stable; what programs compare'),
  title: z.string().describe('The same for all errors of the code'),
  detail: z.string().describe('What happened, to which thing'),
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

/**
 * Builds the envelope of an error. The contract has `message` and `error`, whose meanings the areas swap; `code`, `title` and
 * `detail` mean the same everywhere.
 * @param form that of the error's area
 * @param areaTitle the short title of the contract, which differs in some areas
 */
export function failure(error: HoldfastError, form: ErrorForm, areaTitle?: string): ErrorEnvelope {
  const { code } = error;
  const row = ERROR_TABLE[code];
  const known = buildDetails(error);
  // The text of an unexpected error may have internals. Other texts are for callers, even if the contract fixes one.
  const detail = row.status === 500 ? (row.detail ?? error.message) : error.message;
  const title = areaTitle ?? row.title;
  const [message, text] = form === 'memory' ? [detail, title] : [title, row.detail ?? error.message];
  return {
    success: false,
    message,
    error: text,
    ...(known === undefined ? {} : { details: { ...known } }),
    code,
    title: row.title,
    detail,
  };
}

type AcceptedRun = z.infer<typeof acceptedRunSchema>;

/** Describes a run that its request does not wait for. Pure. */
export function toAcceptedRun({ runId, workflowId, status = 'running' }: StartedRun): AcceptedRun {
  return { runId, traceId: runId, workflowId, status };
}

/** Describes a run that waits for a person. Pure. */
export function toPausedRun(run: StartedRun, approvals: readonly Approval[]): AcceptedRun {
  return { ...toAcceptedRun({ ...run, status: 'waiting' }), approvals: [...approvals] };
}
