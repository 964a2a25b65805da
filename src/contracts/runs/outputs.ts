/**
 * The metadata of the result of a tool's activity whose output is large: at which byte the output begins, in decimal digits. The
 * output is the last field, so it ends before the last byte.
 */
export const OUTPUT_AT = 'output-at';

/**
 * The workflow types whose large results are sent as they are stored. What callers get of these runs is their result itself, and
 * no code reads a part of it before.
 */
const WHOLE_RESULTS: ReadonlySet<string> = new Set([
  'customWorkflow',
  'executeTool',
  'executeToolsInParallel',
  'executeToolsInSequence',
]);

/** Whether a large result of a run of this type is sent as it is stored. Pure. */
export function staysWhole(workflowType: string): boolean {
  return WHOLE_RESULTS.has(workflowType);
}

/** A part of a text that a model is making, in the heartbeats of its activity. */
export interface LiveText {
  /** The server keeps the heartbeats of an attempt for the next one, which has a text of its own. */
  readonly attempt: number;
  /** Where the part begins in the text, in UTF-16 code units. */
  readonly offset: number;
  readonly text: string;
  /** Where the worker gives the whole text as it grows, to who can reach it; absent: nowhere. */
  readonly at?: string;
}
