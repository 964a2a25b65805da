import { jsonLength } from '../../src/contracts/json-length';
import { estimateAll, resolveAll } from '../../src/templates/step-arguments';
import type { WorkflowValues } from '../../src/templates/workflow-scope';
import type { ByteBudget } from '../steps/byte-budget';
import type { ItemAllowance } from './for-each';

/** The limits that all steps of a run share. */
interface Allowances {
  readonly allowance: ItemAllowance;
  readonly budget: ByteBudget;
}

/**
 * Resolves the list that a forEach step works through and counts it in the limits of the run. The work of resolving is
 * counted even if it fails.
 * @returns the items, and `release`, to be called when the step has worked through them
 * @throws TemplateReferenceError; RunTooLargeError
 */
export function takeItems(
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
  // A list written as a single template is a result that the run holds anyway, so it is not counted again.
  return { items, release: budget.hold(typeof written === 'string' ? 0 : length) };
}
