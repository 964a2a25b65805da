import { MAX_DEADLINE_MS } from '../src/contracts/http/approvals';
import type { Config } from '../src/settings/config';
import type { LimitSource, ToolLimits } from '../src/contracts/runs/tools';
import type { ModelLimits } from '../src/contracts/runs/workflows';

export type RunLimitSettings = Pick<
  Config,
  | 'TOOL_TIMEOUT_MS'
  | 'TOOL_MAX_ATTEMPTS'
  | 'RUN_TIMEOUT_MS'
  | 'LLM_TIMEOUT_MS'
  | 'LLM_MAX_WAIT_MS'
  | 'EGRESS_ALLOW_PRIVATE'
>;

/** Time for a run's other steps and for queueing, milliseconds. */
const RUN_MARGIN_MS = 60_000;
/** Maximum lifetime of a run, so that none stays open for ever: a day, milliseconds. */
export const MAX_RUN_MS = 86_400_000;
/**
 * Maximum lifetime of a turn that waits for others of its session, milliseconds: four people may take as long as they can to
 * approve calls of those, one after another.
 */
export const MAX_QUEUED_RUN_MS = MAX_RUN_MS + 4 * MAX_DEADLINE_MS;

/**
 * Builds the limits of each tool call.
 * @param timeoutMs the caller's limit
 * @param source the option that it comes from
 */
export function toolLimits(
  settings: RunLimitSettings,
  timeoutMs?: number,
  source: LimitSource = 'options.timeout',
): ToolLimits {
  const common = {
    maxAttempts: settings.TOOL_MAX_ATTEMPTS,
    // The API decides this, because the worker that takes the call may run on another machine with other settings.
    ...(settings.EGRESS_ALLOW_PRIVATE ? { allowPrivate: true } : {}),
  };
  return timeoutMs === undefined
    ? { timeoutMs: settings.TOOL_TIMEOUT_MS, source: 'TOOL_TIMEOUT_MS', ...common }
    : { timeoutMs, source, ...common };
}

/**
 * Builds the limits of each model call. The provider retries within one attempt, so a failure of the model does not
 * repeat the step. Other failures, such as those of a store, repeat it until `timeoutMs`.
 */
export function modelLimits({ LLM_TIMEOUT_MS, LLM_MAX_WAIT_MS }: RunLimitSettings): ModelLimits {
  return { timeoutMs: LLM_TIMEOUT_MS, maxWaitMs: LLM_MAX_WAIT_MS, maxAttempts: 1 };
}

/**
 * Computes the maximum lifetime of a run whose steps may take `stepsMs` one after another, milliseconds. A step that may take a day
 * ends before its run does, so that its own error is seen.
 */
export function runTimeout({ RUN_TIMEOUT_MS }: RunLimitSettings, stepsMs: number): number {
  return Math.max(RUN_TIMEOUT_MS, Math.min(MAX_RUN_MS, stepsMs) + RUN_MARGIN_MS);
}
