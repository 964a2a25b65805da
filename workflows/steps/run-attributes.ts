import { TypedSearchAttributes } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { fitNames, SEARCH_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';

/**
 * Sets a search attribute by which an operator finds a run: tools that were chosen after its start, or that failed in
 * it.
 */
export function noteTools(
  attribute: 'HoldfastTools' | 'HoldfastFailedTools',
  names: readonly string[],
): void {
  // The run has none if the attributes could not be registered. The server would then reject the workflow task.
  if (workflowInfo().typedSearchAttributes.getAll().length === 0) return;
  const key = { name: attribute, type: SEARCH_ATTRIBUTES[attribute] };
  upsertSearchAttributes([{ key, value: fitNames(names) }]);
}

/**
 * Removes the search attribute of a run that waits. Only a run whose start had it is changed, so no run sets an attribute
 * that its server may lack.
 */
export function noteBeginning(): void {
  const key = { name: 'HoldfastWaiting', type: SEARCH_ATTRIBUTES.HoldfastWaiting };
  if (workflowInfo().typedSearchAttributes.get(key) === undefined) return;
  upsertSearchAttributes([{ key, value: null }]);
}

const OF_OWNER: ReadonlySet<string> = new Set(['HoldfastArea', 'HoldfastUser', 'HoldfastSession']);

/** The attributes of this run by which people filter the list in the Temporal UI, for a run that it starts. */
export function ownerAttributes(): TypedSearchAttributes {
  const all = workflowInfo().typedSearchAttributes.getAll();
  return new TypedSearchAttributes(all.filter(({ key }) => OF_OWNER.has(key.name)));
}
