import { approvalOf } from '../../src/contracts/runs/approval-needs';
import { jsonLength } from '../../src/contracts/json-length';
import type { PreparedStep } from '../../src/contracts/runs/workflows';
import {
  type FollowingCall,
  type FollowingCalls,
  MAX_FOLLOWING_LENGTH,
  takeFollowing,
} from '../../src/templates/following-calls';
import { findReferencesIn } from '../../src/templates/resolve';
import type { WorkflowValues } from '../../src/templates/workflow-scope';

/**
 * Finds the steps that may run in the activity of a step: those behind it in the list, each of which waits for the one
 * before it. While another branch of the workflow may run beside them, no step may follow, because a failure of that
 * branch would show which of them had ended.
 */
export function followingSteps(
  steps: readonly PreparedStep[],
  first: PreparedStep,
  { inputs, outcomes, runId }: WorkflowValues,
): FollowingCalls | undefined {
  const index = steps.indexOf(first);
  if (toFollowingCall(first) === undefined || !isAlone(steps, index, outcomes)) return undefined;
  const chain: FollowingCall[] = [];
  let before = first;
  for (const prepared of steps.slice(index + 1)) {
    // A later step that has an outcome before it begins does not run.
    const isNext = prepared.waitsFor.includes(before.step.id) && !Object.hasOwn(outcomes, prepared.step.id);
    const call = isNext ? toFollowingCall(prepared) : undefined;
    if (call === undefined) break;
    chain.push(call);
    before = prepared;
  }
  const following = takeFollowing(chain);
  if (following === undefined) return undefined;
  const values = { inputs, outcomes: referredTo(outcomes, following.calls), runId };
  return jsonLength(values, MAX_FOLLOWING_LENGTH) > MAX_FOLLOWING_LENGTH
    ? undefined
    : { ...following, values };
}

/** @returns undefined for a step that calls no tool, works on items, waits for a person, or has limits of its own */
function toFollowingCall({ step, execution }: PreparedStep): FollowingCall | undefined {
  if (step.type !== 'tool_execution' || execution.kind !== 'tool') return undefined;
  const { id, when, config, forEach, timeout, retry } = step;
  if (execution.tool.requiresApproval === true || approvalOf(step) !== undefined) return undefined;
  if (forEach !== undefined || timeout !== undefined || retry !== undefined) return undefined;
  return {
    call: { ...execution.tool, args: config.args },
    step: id,
    when,
  };
}

/** True if every earlier step has ended, and every later one waits for this step, directly or not. */
function isAlone(
  steps: readonly PreparedStep[],
  index: number,
  outcomes: WorkflowValues['outcomes'],
): boolean {
  const held = new Set<string>();
  return steps.every(({ step: { id }, waitsFor }, at) => {
    if (at < index) return Object.hasOwn(outcomes, id);
    held.add(id);
    return at === index || waitsFor.some((other) => held.has(other));
  });
}

/** Picks the outcomes that templates and conditions name, so that no other has to be sent. */
function referredTo(
  outcomes: WorkflowValues['outcomes'],
  calls: readonly FollowingCall[],
): WorkflowValues['outcomes'] {
  const written = calls.map(({ call, when }) => [call.args, when]);
  const roots = new Set(findReferencesIn(written).map(({ root }) => root));
  return Object.fromEntries(Object.entries(outcomes).filter(([id]) => roots.has(id)));
}
