/** A run that exists on the server. */
export interface StartedRun {
  readonly workflowId: string;
  readonly runId: string;
}
