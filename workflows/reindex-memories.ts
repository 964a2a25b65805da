import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { ReindexInput, ReindexResult } from '../src/contracts/runs/memory';
import { failingAsItsSteps } from './steps/long-steps';
import { memorySteps } from './steps/memory-steps';
import { showProgress } from './steps/progress';

/** Somebody waits to hear that the model cannot be used: below what a request waits, milliseconds. */
const OPEN_LIMIT_MS = 30_000;
/** Pages in one run: its history stays below 10,000 events. */
const MAX_PAGES = 1_000;

/**
 * Moves all memories to the embedding model of the settings. They are read and written meanwhile in the space they are in;
 * the new one takes over when none lacks a vector in it.
 */
export function reindexMemories(input: ReindexInput): Promise<ReindexResult> {
  return failingAsItsSteps(async () => {
    const target =
      input.target ?? (await memorySteps('open a space', OPEN_LIMIT_MS).openReindex(input.again ?? false));
    const { spaceId, model, dimensions, store } = target;
    let { moved = 0, after } = input;
    const progress = showProgress();
    const note = (state: 'running' | 'completed'): void =>
      progress.note({ step: model, what: `${moved} memories moved`, state });
    if (target.isCurrent) return { model, dimensions, moved };
    for (let page = 0; ; page += 1) {
      note('running');
      if (page === MAX_PAGES || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof reindexMemories>({
          target,
          moved,
          after,
        });
      }
      const step = await memorySteps(`embed memories for ${model}`).reindexPage({
        spaceId,
        store,
        after,
      });
      moved += step.moved;
      after = step.after;
      // Behind the last page: what was written meanwhile is looked for from the beginning.
      if (after !== undefined) continue;
      if (await memorySteps(`switch to ${model}`).switchVectorSpace(spaceId, store)) break;
    }
    note('completed');
    return { model, dimensions, moved };
  });
}
