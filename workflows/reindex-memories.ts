import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { ReindexInput, ReindexResult } from '../src/contracts/runs/memory';
import { withStepFailure } from './steps/long-steps';
import { memorySteps } from './steps/memory-steps';
import { showProgress } from './steps/progress';

/** Shorter than a request waits, because its caller is to hear that the model cannot be used, milliseconds. */
const OPEN_LIMIT_MS = 30_000;
/** Pages of one run before it continues as new, so that its history stays below 10,000 events. */
const MAX_PAGES = 1_000;

/**
 * Embeds all memories again, with the embedding model of the settings. Meanwhile memories are read and written in the
 * present vector space. The new space takes over when every memory has a vector in it.
 */
export function reindexMemories(input: ReindexInput): Promise<ReindexResult> {
  return withStepFailure(async () => {
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
      // After the last page, the search for memories without a vector starts over, since some were written meanwhile.
      if (after !== undefined) continue;
      if (await memorySteps(`switch to ${model}`).switchVectorSpace(spaceId, store)) break;
    }
    note('completed');
    return { model, dimensions, moved };
  });
}
