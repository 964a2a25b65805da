import type { WorkflowExecutionDescription } from '@temporalio/client';
import { defaultPayloadConverter, type TypedSearchAttributes } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';

const { WorkflowExecutionStatus } = temporal.api.enums.v1;
type Execution = temporal.api.workflow.v1.IWorkflowExecutionInfo;

const WAITING_KEY = { name: 'HoldfastWaiting', type: SEARCH_ATTRIBUTES.HoldfastWaiting } as const;
const PREFIX = 'WORKFLOW_EXECUTION_STATUS_';

/** Converts a status of the server to the name that callers see. Pure. */
function toStatus(status: temporal.api.enums.v1.WorkflowExecutionStatus | null | undefined): string {
  const name = WorkflowExecutionStatus[status ?? 0] ?? '';
  const short = name.slice(PREFIX.length).toLowerCase();
  // The server and this service spell it differently.
  return short === 'canceled' ? 'cancelled' : short;
}

/** The status of a run as the index has it, by the name that callers see. Pure. */
export function indexedStatus({ status, searchAttributes }: Execution): string {
  const name = toStatus(status);
  return name === 'running' ? openStatus(searchAttributes) : name;
}

/** The status of a run that the client has described, by the name that callers see. Pure. */
export function describedStatus({
  status,
  raw,
}: Pick<WorkflowExecutionDescription, 'status' | 'raw'>): string {
  const name = status.name.toLowerCase();
  return name === 'running' ? openStatus(raw.workflowExecutionInfo?.searchAttributes) : name;
}

/** A run without search attributes is not known to wait. */
function openStatus(attributes: Execution['searchAttributes']): 'running' | 'waiting' {
  const waiting = attributes?.indexedFields?.[WAITING_KEY.name];
  return waiting != null && defaultPayloadConverter.fromPayload(waiting) != null ? 'waiting' : 'running';
}

/** The status of a run that was started just now with these search attributes. Pure. */
export function startedStatus(attributes: TypedSearchAttributes): 'running' | 'waiting' {
  return attributes.get(WAITING_KEY) === undefined ? 'running' : 'waiting';
}

const OPEN_STATUSES: ReadonlySet<string> = new Set(['running', 'waiting', 'paused']);

/** Whether a run with this status, by the name that callers see, is open. Pure. */
export function isOpenStatus(status: string): boolean {
  return OPEN_STATUSES.has(status);
}
