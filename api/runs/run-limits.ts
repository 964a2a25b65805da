import type { Config } from '../../src/settings/config';
import type { LimitSource, ToolLimits } from '../../src/contracts/runs/tools';
import type { ModelLimits } from '../../src/contracts/runs/workflows';

export type RunLimitSettings = Pick<
  Config,
  'TOOL_TIMEOUT_MS' | 'TOOL_MAX_ATTEMPTS' | 'RUN_TIMEOUT_MS' | 'LLM_TIMEOUT_MS' | 'EGRESS_ALLOW_PRIVATE'
>;

/** For a run's own steps and its time in the queue, milliseconds. */
const RUN_MARGIN_MS = 60_000;
/** A run is no place to park work for ever: a day, milliseconds. */
export const MAX_RUN_MS = 86_400_000;

/** Limits of each tool call; `timeoutMs` is what the caller asked for, by the option that `source` names. */
export function toolLimits(
  settings: RunLimitSettings,
  timeoutMs?: number,
  source: LimitSource = 'options.timeout',
): ToolLimits {
  const common = {
    maxAttempts: settings.TOOL_MAX_ATTEMPTS,
    // Decided here, because the settings of the worker that takes the call may be those of another machine.
    ...(settings.EGRESS_ALLOW_PRIVATE ? { allowPrivate: true } : {}),
  };
  return timeoutMs === undefined
    ? { timeoutMs: settings.TOOL_TIMEOUT_MS, source: 'TOOL_TIMEOUT_MS', ...common }
    : { timeoutMs, source, ...common };
}

/**
 * Limits of each model call: the provider tries again within them, so a failure of the model does not repeat the step. Other
 * failures, of a store for instance, do until `timeoutMs`.
 */
export function modelLimits({ LLM_TIMEOUT_MS }: RunLimitSettings): ModelLimits {
  return { timeoutMs: LLM_TIMEOUT_MS, maxAttempts: 1 };
}

/** The longest life of a run whose steps one after another may take `stepsMs`. */
export function runTimeout({ RUN_TIMEOUT_MS }: RunLimitSettings, stepsMs: number): number {
  return Math.min(MAX_RUN_MS, Math.max(RUN_TIMEOUT_MS, stepsMs + RUN_MARGIN_MS));
}
