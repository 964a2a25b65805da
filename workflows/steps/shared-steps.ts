import { CancelledFailure } from '@temporalio/common';
import { CancellationScope } from '@temporalio/workflow';
import { isInlineCall } from '../../src/contracts/runs/calls';
import type { SettledToolStep, ToolCall, ToolLimits, ToolStepResult } from '../../src/contracts/runs/tools';
import type { FollowingCalls, LeadingResult } from '../../src/templates/following-calls';
import { toToolFailure } from './failures';
import { resultOf, runToolStep } from './tool-step';

export interface SharedResult extends ToolStepResult {
  /** Present if the call ran in one activity with others. */
  readonly isShared?: boolean;
}

/**
 * Runs the tool calls of a run one after another, and neighbouring inline calls in one local activity: the activity of
 * the first runs those that follow, and its result has their outcomes, which are kept here until each is asked for.
 *
 * This needs no `patched`. Only the recorded result decides which calls have no activity: the result in a history of an
 * earlier version has no following outcomes, and the input of a local activity is not in the history. A call that
 * nothing follows ends after as many microtasks as before, which decides the order of calls that end together.
 */
export class SharedSteps {
  readonly #settled = new Map<string, SettledToolStep>();

  /**
   * Runs a call, or returns its outcome if it ran already. Not an async function, which would add a microtask.
   * @param step the call's name within the run
   * @param following the calls that run after this one and no other; called only for an inline call
   * @throws as `runToolStep` does
   */
  run(
    call: ToolCall,
    step: string,
    limits: ToolLimits,
    following: () => FollowingCalls | undefined,
  ): Promise<SharedResult> {
    const settled = this.#settled.get(step);
    if (settled !== undefined) {
      this.#settled.delete(step);
      return toResult(settled, call, limits);
    }
    const followers = isInlineCall(call) ? following() : undefined;
    const running = runToolStep(call, step, limits, followers);
    return followers === undefined ? running : this.#keepFollowing(running);
  }

  async #keepFollowing(running: Promise<LeadingResult>): Promise<SharedResult> {
    const { following = [], ...result } = await running;
    for (const outcome of following) this.#settled.set(outcome.step, outcome);
    return following.length > 0 ? { ...result, isShared: true } : result;
  }
}

async function toResult(settled: SettledToolStep, call: ToolCall, limits: ToolLimits): Promise<SharedResult> {
  // A call that has not begun when the run is cancelled does not begin.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The run was cancelled');
  try {
    return { ...resultOf(settled), isShared: true };
  } catch (error) {
    throw toToolFailure(error, call, limits);
  }
}
