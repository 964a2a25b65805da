import type { ConsolidationName, UndoResult } from '../src/contracts/runs/consolidation';
import { consolidationSteps } from './steps/memory-steps';
import { withStepFailure } from './steps/long-steps';

/** Restores the memories that a consolidation archived, those that it archived last first. */
export function undoConsolidation(input: ConsolidationName): Promise<UndoResult> {
  return withStepFailure(async () => {
    let restored = 0;
    for (let done = false; !done;) {
      const step = await consolidationSteps('restore memories').restoreMemories(input);
      restored += step.restored;
      done = step.done;
    }
    return { id: input.consolidationId, restored };
  });
}
