import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { ReindexInput, ReindexResult, ReindexWordsResult } from '../src/contracts/runs/memory';
import { withStepFailure } from './steps/long-steps';
import { memorySteps } from './steps/memory-steps';
import { type Progress, showProgress } from './steps/progress';

/** Shorter than a request waits, because its caller is to hear that the model cannot be used, milliseconds. */
const OPEN_LIMIT_MS = 30_000;
/** Pages of one run before it continues as new, so that its history stays below 10,000 events. */
const MAX_PAGES = 1_000;

/**
 * Indexes the words of memories as this build does, if another one has indexed them, and embeds all memories again, with the
 * embedding model of the settings. Meanwhile memories are read and written in the present vector space. The new space takes over
 * when every memory has a vector in it.
 */
export function reindexMemories(input: ReindexInput): Promise<ReindexResult | ReindexWordsResult> {
  return withStepFailure(async () => {
    const progress = showProgress();
    const words = await renewWords(input, progress);
    const { renewed } = words;
    if (input.wordsOnly === true) return { renewed };
    const target =
      input.target ?? (await memorySteps('open a space', OPEN_LIMIT_MS).openReindex(input.again ?? false));
    const { spaceId, model, dimensions, store } = target;
    let { moved = 0, after } = input;
    const note = (state: 'running' | 'completed'): void =>
      progress.note({ step: model, what: `${moved} memories moved`, state });
    if (target.isCurrent) return { model, dimensions, moved, renewed };
    for (let page = 0; ; page += 1) {
      note('running');
      if (page === MAX_PAGES || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof reindexMemories>({
          words,
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
    return { model, dimensions, moved, renewed };
  });
}

type Words = NonNullable<ReindexInput['words']>;

async function renewWords(input: ReindexInput, progress: Progress): Promise<Words> {
  let words: Words = input.words ?? { renewed: 0, done: false };
  if (words.done) return words;
  const note = (state: 'running' | 'completed'): void =>
    progress.note({ step: 'words', what: `words of ${words.renewed} memories indexed`, state });
  for (let page = 0; !words.done; page += 1) {
    note('running');
    if (page === MAX_PAGES || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof reindexMemories>({ ...input, words });
    }
    const { after, store } = words;
    const { again } = input;
    const step = await memorySteps('index words').reindexWords({ again, after, store });
    words = { ...step, renewed: words.renewed + step.renewed, done: step.after === undefined };
  }
  note('completed');
  return words;
}
