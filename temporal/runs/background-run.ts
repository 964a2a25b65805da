import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { Engine } from '../engine';
import { toSearchAttributes, type RunSubject } from '../search-attributes';
import { callEngine } from './call-engine';

/** A run for which no request waits. */
export interface BackgroundRun {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly input: unknown;
  /** Absent: it is in no list of runs. */
  readonly subject?: RunSubject;
  /** One line for the Temporal UI. */
  readonly summary: string;
  /** Milliseconds; absent: no limit. */
  readonly runTimeoutMs?: number;
  readonly memo?: Record<string, unknown>;
  /** How long it waits before its first task, milliseconds. */
  readonly startDelay?: number;
  /** Whether it is not started again after one of its workflow id has completed. */
  readonly isOnce?: boolean;
}

/** A run over the data of a store has a day, so that it survives a long outage of the store, milliseconds. */
export const STORE_RUN_MS = 86_400_000;
const DEADLINE_MS = 8_000;

/**
 * Starts a run, unless one of its workflow id is open.
 * @returns whether it has started one
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export async function startInBackground(
  engine: Engine,
  taskQueue: string,
  { workflowType, input, subject, summary, runTimeoutMs, isOnce = false, ...options }: BackgroundRun,
): Promise<boolean> {
  try {
    await callEngine(engine, DEADLINE_MS, ({ client, searchAttributes }) =>
      client.workflow.start(workflowType, {
        ...options,
        taskQueue,
        args: [input],
        workflowRunTimeout: runTimeoutMs,
        staticSummary: summary,
        workflowIdReusePolicy: isOnce ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'ALLOW_DUPLICATE',
        typedSearchAttributes: subject && toSearchAttributes(subject, searchAttributes),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
