import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { fitNames, SEARCH_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';

/** Lets an operator find a run by tools that were not known when it started, or by those that failed in it. */
export function noteTools(
  attribute: 'HoldfastTools' | 'HoldfastFailedTools',
  names: readonly string[],
): void {
  // A server where the attributes could not be registered would refuse the workflow task.
  if (workflowInfo().typedSearchAttributes.getAll().length === 0) return;
  const key = { name: attribute, type: SEARCH_ATTRIBUTES[attribute] };
  upsertSearchAttributes([{ key, value: fitNames(names) }]);
}
