import type { ErasureInput, ErasureResult } from '../src/contracts/runs/memory';
import { withStepFailure } from './steps/long-steps';
import { memorySteps } from './steps/memory-steps';

/** Erases all memories of a user, and the runs that carried some. The input has an erasure id and not the user's id. */
export function eraseUserMemories(input: ErasureInput): Promise<ErasureResult> {
  return withStepFailure(async () => {
    const erased = { episodic: 0, semantic: 0, relations: 0, archived: 0 };
    for (let done = false; !done;) {
      const step = await memorySteps('erase memories').eraseStep(input);
      erased.episodic += step.episodic;
      erased.semantic += step.semantic;
      erased.relations += step.relations;
      erased.archived += step.archived ?? 0;
      done = step.done;
    }
    let runs = 0;
    for (let done = false; !done;) {
      const step = await memorySteps('erase turns of conversation').eraseRuns(input);
      runs += step.runs;
      done = step.done;
    }
    const { unreached } = await memorySteps('erase vectors, and let the user write again').finishErasure({
      ...input,
      erased: { ...erased, runs },
    });
    return { ...erased, runs, unreached, receipt: input.erasureId };
  });
}
