/** The memo field of a run that repeats another one. */
export const RERUN_MEMO = 'rerun';

/** Of which run a run is the repeat, and what it took from it. */
export interface Rerun {
  readonly of: { readonly traceId: string; readonly workflowId: string };
  /** The ids of the steps whose outcomes were taken from the first run. */
  readonly reused: readonly string[];
}
