/** A run that exists on the server. */
export interface StartedRun {
  readonly workflowId: string;
  readonly runId: string;
  /** Present where an earlier request with the same idempotency key has started it: its status in lower case at this time. */
  readonly repeated?: { readonly status: string };
}
