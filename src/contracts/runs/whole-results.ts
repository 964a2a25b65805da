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
