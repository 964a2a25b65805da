import type { StartedRun } from '../temporal/runs/started-run';

/**
 * The path at which the run is found at once, because it names the workflow id too. Pure.
 * @param end of the path, for what belongs to the run
 */
export function pathOfRun({ runId, workflowId }: StartedRun, end = ''): string {
  return `/api/runs/${runId}${end}?workflowId=${encodeURIComponent(workflowId)}`;
}
