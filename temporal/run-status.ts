import { temporal } from '@temporalio/proto';

const { WorkflowExecutionStatus } = temporal.api.enums.v1;
const PREFIX = 'WORKFLOW_EXECUTION_STATUS_';

/** Converts a status of the server to the name that callers see. Pure. */
export function toStatus(status: temporal.api.enums.v1.WorkflowExecutionStatus | null | undefined): string {
  const name = WorkflowExecutionStatus[status ?? 0] ?? '';
  const short = name.slice(PREFIX.length).toLowerCase();
  // The server and this service spell it differently.
  return short === 'canceled' ? 'cancelled' : short;
}
