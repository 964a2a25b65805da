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

/**
 * Waits until the process has room for a value that is read into memory as a whole. The room is given back when the answer that
 * needs it is sent.
 * @throws HoldfastError `SERVICE_BUSY` if there is no room in time
 */
export type AdmitBytes = (bytes: number) => Promise<void>;
