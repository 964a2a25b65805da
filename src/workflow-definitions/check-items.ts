import { MAX_ITEMS } from '../contracts/workflow-limits';
import type { WorkflowStep } from '../contracts/http/workflows';
import { hasExpressions } from '../templates/resolve';
import { workflowProblem } from './problems';

/**
 * Checks the lists of forEach steps that are known before the run. The run itself checks the others.
 * @param itemsOf returns a step's items with the inputs filled in
 * @throws HoldfastError `WORKFLOW_INVALID` where the items are not a list, or there are too many
 */
export function checkItems(steps: readonly WorkflowStep[], itemsOf: (step: WorkflowStep) => unknown): void {
  let certain = 0;
  for (const step of steps.filter(({ forEach }) => forEach !== undefined)) {
    const items = itemsOf(step);
    const refuse = (message: string) => workflowProblem(step.id, 'forEach.items', message);
    if (!Array.isArray(items)) {
      if (hasExpressions(items)) continue;
      throw refuse(`must be a list, it is of type ${items === null ? 'null' : typeof items}`);
    }
    // A step with a condition may be skipped, so its items count towards the total only in the run.
    if (step.when === undefined) certain += items.length;
    const count = Math.max(certain, items.length);
    if (count > MAX_ITEMS)
      throw refuse(`the run would have ${count} items; at most ${MAX_ITEMS} are allowed`);
  }
}
