import { jsonLength } from '../../src/contracts/json';
import type { WorkflowValues } from '../../src/templates/workflow-scope';
import type { ByteBudget } from '../steps/byte-budget';
import type { ItemAllowance } from './for-each';
import { estimateAll, resolveAll } from './build-call';

/** What the steps of a run share. */
interface Allowances {
  readonly allowance: ItemAllowance;
  readonly budget: ByteBudget;
}

/**
 * The list that a step works through, and what to call once it has. The work is counted, whether it comes to a list or not.
 * @throws TemplateReferenceError; RunTooLargeError
 */
export function itemsOf(
  written: unknown,
  values: WorkflowValues,
  { allowance, budget }: Allowances,
): { readonly items: readonly unknown[]; release(): void } {
  let items: readonly unknown[];
  try {
    items = allowance.take(resolveAll(written, values));
  } catch (error) {
    budget.countWork(estimateAll(written, values).length);
    throw error;
  }
  const length = jsonLength(items);
  budget.countWork(length);
  // A template alone stands for a list that the run has already.
  return { items, release: budget.hold(typeof written === 'string' ? 0 : length) };
}
