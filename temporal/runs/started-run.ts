/** A run that exists on the server. */
export interface StartedRun {
  readonly workflowId: string;
  readonly runId: string;
  /** The status that it had when this request started or found it, by the name that callers see. */
  readonly status?: string;
  /** Whether the run may wait for a person. */
  readonly mayPause?: boolean;
  /** Present if an earlier request with the same idempotency key has started it. */
  readonly repeated?: {
    /** Whether it is known that the key has had no run before this one. */
    readonly isFirst: boolean;
  };
}
