import { isCancellation } from '@temporalio/workflow';
import { MAX_ITEMS } from '../../src/contracts/workflow-limits';
import { describeNames } from '../../src/templates/known-names';
import { TemplateLimitError, TemplateReferenceError } from '../../src/templates/resolve';
import { RunTooLargeError } from '../steps/result-allowance';

/** An item failed, which ended its forEach step. */
export class ItemFailure extends Error {
  override readonly name = 'ItemFailure';
  constructor(
    /** Index of the item, from 0. */
    readonly index: number,
    readonly reason: unknown,
    /** Indexes of the items that were completed before. */
    readonly completed: readonly number[],
  ) {
    super(reason instanceof Error ? reason.message : String(reason));
  }
}

/**
 * Counts the items of all forEach steps of a run. Their total is limited, which bounds the length of the run's history.
 */
export class ItemAllowance {
  #taken = 0;

  /** @throws TemplateReferenceError if there are more than `MAX_ITEMS` in the run, or if `items` is not a list */
  take(items: unknown): readonly unknown[] {
    if (!Array.isArray(items)) {
      const kind = items === null ? 'null' : typeof items;
      throw new TemplateReferenceError(
        'forEach.items',
        `a list is needed, it is of type ${kind}${describeNames(items, '')}`,
      );
    }
    this.#taken += items.length;
    if (this.#taken > MAX_ITEMS) {
      throw new TemplateLimitError(
        'forEach.items',
        `with these ${items.length} items the run would have ${this.#taken}; at most ${MAX_ITEMS} are allowed`,
      );
    }
    return items as readonly unknown[];
  }
}

export interface ForEachOptions {
  /** How many items are worked on at once. */
  readonly concurrency: number;
  /** Whether the other items are worked on after the failure of one. */
  continuesAfter(reason: unknown, index: number): boolean;
}

/**
 * Works on items in their order, `concurrency` at once. A failure ends the work, unless `continuesAfter`
 * says otherwise.
 * @returns one settled result an item, in order
 * @throws ItemFailure for the first failure that ends the work; a cancellation and RunTooLargeError in any case
 */
export async function forEachItem<T>(
  items: readonly unknown[],
  { concurrency, continuesAfter }: ForEachOptions,
  work: (item: unknown, index: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const settled: PromiseSettledResult<T>[] = [];
  let next = 0;
  let stopped = false;
  async function workOnNextItems(): Promise<void> {
    while (next < items.length && !stopped) {
      const index = next;
      next += 1;
      try {
        settled[index] = { status: 'fulfilled', value: await work(items[index], index) };
      } catch (reason) {
        const endsAll = isCancellation(reason) || reason instanceof RunTooLargeError;
        if (endsAll || !continuesAfter(reason, index)) {
          stopped = true;
          throw endsAll
            ? reason
            : new ItemFailure(
                index,
                reason,
                [...settled.keys()].filter((at) => settled[at]?.status === 'fulfilled'),
              );
        }
        settled[index] = { status: 'rejected', reason };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, workOnNextItems));
  return settled;
}
