import { asyncLocalStorage, type Context } from '@temporalio/activity';

export interface ActivityOptions {
  /** From 1. */
  readonly attempt?: number;
  readonly signal?: AbortSignal;
  /** Of the run that calls. */
  readonly workflowId?: string;
}

/** Runs `action` with the activity context that a Temporal worker provides. */
export function inActivity<T>(
  action: () => Promise<T>,
  { attempt = 1, signal = new AbortController().signal, workflowId = 'w' }: ActivityOptions = {},
): Promise<T> {
  const ignore = (): void => undefined;
  const context = {
    info: { attempt, isLocal: false, workflowExecution: { workflowId, runId: 'r' } },
    cancellationSignal: signal,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    heartbeat: ignore,
  };
  return asyncLocalStorage.run(context as unknown as Context, action);
}
