import { type ActivityOptions, workflowInfo } from '@temporalio/workflow';
import type { ImportCounts } from '../../src/contracts/http/imports';
import { longStep, withStepFailure } from './long-steps';
import { showProgress } from './progress';

/** Steps of one run before it continues as new, so that its history stays below 10,000 events. */
const MAX_STEPS = 1_000;
const ATTEMPT_LIMIT_MS = 300_000;

/** Where an import is. */
interface Position {
  readonly counts: ImportCounts;
}

/** Takes the steps of an import until it is done, and notes its progress. @returns the counts of the whole import */
export function importInSteps<P extends Position, I extends P & { readonly importId: string }>(
  input: I,
  next: (input: I) => Promise<P & { readonly done: boolean }>,
  continueWith: (input: I) => Promise<never>,
): Promise<P['counts']> {
  return withStepFailure(async () => {
    let current = input;
    const progress = showProgress();
    const note = (state: 'running' | 'completed'): void => {
      const { rows, failed } = current.counts;
      progress.note({ step: input.importId, what: `${rows} rows, ${failed} failed`, state });
    };
    for (let steps = 0; ; steps += 1) {
      note('running');
      if (steps === MAX_STEPS || workflowInfo().continueAsNewSuggested) await continueWith(current);
      const { done, ...position } = await next(current);
      current = { ...current, ...position };
      if (done) break;
    }
    note('completed');
    return current.counts;
  });
}

/** The options of a step of an import. @param summary its line in the Temporal UI */
export function importStepOptions(summary: string): ActivityOptions {
  return longStep(summary, { attemptMs: ATTEMPT_LIMIT_MS });
}
