import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { type RunPosition, toMicros } from './run-position';
import { indexedStatus } from './run-status';

/** The field of a run's memo that says that its steps call models; only runs of custom workflows have it. */
export const USES_MODELS_MEMO = 'usesModels';
/** The field of a turn's memo that names the agent that answers. */
export const AGENT_MEMO = 'agent';

type Execution = temporal.api.workflow.v1.IWorkflowExecutionInfo;

export interface ListedRun {
  /** The first run id of the run's chain, by which the run is found. */
  readonly traceId: string;
  /** The same as `traceId`. */
  readonly runId: string;
  readonly workflowId: string;
  readonly type: string;
  /** Absent for a run that was started without search attributes. */
  readonly area?: string;
  /** Absent for a run that names no tool when it starts. */
  readonly tools?: readonly string[] | undefined;
  /** As in `RunRecord`. */
  readonly status: string;
  readonly startedAt: string;
  readonly closedAt: string | null;
}

/** A run as the index has it, with times in epoch microseconds. */
export interface IndexedRun extends RunPosition {
  readonly workflowId: string;
  readonly type: string;
  readonly area?: string;
  readonly tools?: readonly string[] | undefined;
  readonly status: string;
  /** `Infinity` for a run that is open. */
  readonly closed: number;
}

/** Reads a run from an answer of the server. Pure. */
export function toIndexedRun({
  execution,
  type,
  status,
  startTime,
  closeTime,
  searchAttributes,
}: Execution): IndexedRun {
  const area = searchAttributes?.indexedFields?.['HoldfastArea'];
  return {
    runId: execution?.runId ?? '',
    workflowId: execution?.workflowId ?? '',
    type: type?.name ?? '',
    status: indexedStatus({ status, searchAttributes }),
    started: toMicros(startTime),
    closed: closeTime ? toMicros(closeTime) : Infinity,
    area: area ? String(defaultPayloadConverter.fromPayload(area)) : undefined,
    tools: toolsOf({ searchAttributes }),
  };
}

/** Whether a run uses a tool of exactly this name. Pure. */
export function usesTool(execution: Execution, tool: string): boolean {
  return toolsOf(execution)?.includes(tool) ?? false;
}

function toolsOf({ searchAttributes }: Pick<Execution, 'searchAttributes'>): readonly string[] | undefined {
  const names = searchAttributes?.indexedFields?.['HoldfastTools'];
  return names ? [defaultPayloadConverter.fromPayload<unknown>(names)].flat().map(String) : undefined;
}

/** Converts a run to what callers see. Pure. */
export function toListedRun({
  runId,
  workflowId,
  type,
  area,
  tools,
  status,
  started,
  closed,
}: IndexedRun): ListedRun {
  return {
    traceId: runId,
    runId,
    workflowId,
    type,
    area,
    tools,
    status,
    startedAt: toIso(started),
    closedAt: closed === Infinity ? null : toIso(closed),
  };
}

function toIso(micros: number): string {
  return new Date(Math.floor(micros / 1_000)).toISOString();
}
