import { z } from 'zod';
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
  approvals: z.array(approvalSchema).optional().describe('What the run waits for; present where it is known'),
});
export type AcceptedRun = z.infer<typeof acceptedRunSchema>;

export const ACCEPTED_MESSAGE = 'Run accepted';

/** Describes a run that its request does not wait for. Pure. */
export function toAcceptedRun({ runId, workflowId, status = 'running' }: StartedRun): AcceptedRun {
  return { runId, traceId: runId, workflowId, status };
}

/** Describes a run that waits for a person. Pure. */
export function toPausedRun(run: StartedRun, approvals: readonly Approval[]): AcceptedRun {
  return { ...toAcceptedRun({ ...run, status: 'waiting' }), approvals: [...approvals] };
}

export const PAUSED_MESSAGE = 'Run waits for an approval';

/** The path at which the run is found at once, because it names the workflow id too. Pure. */
export function pathOfRun({ runId, workflowId }: StartedRun): string {
  return `/api/runs/${runId}?workflowId=${encodeURIComponent(workflowId)}`;
}
