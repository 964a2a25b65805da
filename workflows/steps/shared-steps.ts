import { CancelledFailure } from '@temporalio/common';
import { CancellationScope } from '@temporalio/workflow';
import { isInlineCall } from '../../src/contracts/runs/inline-calls';
import type { SettledToolStep, ToolCall, ToolLimits, ToolStepResult } from '../../src/contracts/runs/tools';
import type { FollowingCalls } from '../../src/templates/following-calls';
import { toToolFailure } from './failures';
import { resultOf, runToolStep } from './tool-step';

export interface SharedResult extends ToolStepResult {
  /** The call ran in one activity with others. */
  readonly isShared: boolean;
}

/**
 * Runs the tool calls of a run one after another, and neighbouring inline calls in one local activity: the activity of
 * the first runs those that follow, and its result has their outcomes, which are kept here until each is asked for.
 *
 * This needs no `patched`, because only the recorded result decides which calls have no activity: the result in a
 * history of an earlier version has no following outcomes, and the input of a local activity is not in the history.
 */
export class SharedSteps {
  readonly #settled = new Map<string, SettledToolStep>();

  /**
   * Runs a call, or returns its outcome where it ran already.
   * @param step the call's name within the run
   * @param following the calls that run after this one and no other; called only for an inline call
   * @throws as `runToolStep` does
   */
  async run(
    call: ToolCall,
    step: string,
    limits: ToolLimits,
    following: () => FollowingCalls | undefined,
  ): Promise<SharedResult> {
    const settled = this.#settled.get(step);
    if (settled !== undefined) {
      this.#settled.delete(step);
      return { ...toResult(settled, call, limits), isShared: true };
    }
    const { following: outcomes = [], ...result } = await runToolStep(
      call,
      step,
      limits,
      isInlineCall(call) ? following() : undefined,
    );
    for (const outcome of outcomes) this.#settled.set(outcome.step, outcome);
    return { ...result, isShared: outcomes.length > 0 };
  }
}

function toResult(settled: SettledToolStep, call: ToolCall, limits: ToolLimits): ToolStepResult {
  // A call that has not begun when the run is cancelled does not begin.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The run was cancelled');
  try {
    return resultOf(settled);
  } catch (error) {
    throw toToolFailure(error, call, limits);
  }
}
