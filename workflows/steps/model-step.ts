import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import {
  type ActivityOptions,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { ModelActivities } from '../../activities/models';
import type { ChatMessage, ChatResult, TokenUsage } from '../../src/contracts/http/llm';
import type { TurnFile } from '../../src/contracts/http/files';
import type { ModelAllowance } from '../../src/contracts/runs/budgets';
import { MODEL_RETRY_DELAYS } from '../../src/contracts/retries';
import { wholeTime } from '../../src/contracts/runs/call-time';
import { summariseModelCall } from '../../src/contracts/runs/summaries';
import type { JsonSchema, StoredTool } from '../../src/contracts/http/tools';
import type { ModelChoice, ModelLimits, Plan, PlanInput } from '../../src/contracts/runs/workflows';
import { causeOf } from './cause-of';
import { inQueue, notTaken } from './step-queue';
import { createFailure } from './failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './retries';
import { startUncancelled, throwIfCancelled } from './uncancelled';

/** A model call of a run: the model, its limits and the messages. */
export interface ModelCall {
  readonly choice: ModelChoice;
  readonly limits: ModelLimits;
  readonly messages: readonly ChatMessage[];
  /** As in `GenerateInput`. */
  readonly schema?: JsonSchema | undefined;
  /** As in `PlanInput`. */
  readonly tools?: readonly string[] | undefined;
  /** As in `PlanInput`. */
  readonly mayPause?: boolean;
  /** As in `PlanInput`. */
  readonly agents?: PlanInput['agents'];
  /** As in `PlanInput`. */
  readonly callerTools?: PlanInput['callerTools'];
  /** As in `PlanInput`. */
  readonly mustCall?: PlanInput['mustCall'];
  readonly allowance?: ModelAllowance | undefined;
}

/** An activity ends its call in time, and then has this long to report what the call is counted with, milliseconds. */
const REPORT_MARGIN_MS = 1_000;

/**
 * Rules run as a local activity, since they are pure and take about a millisecond; a model is called over the network.
 */
function activities({ choice, limits }: ModelCall, purpose?: string): ModelActivities {
  const options: ActivityOptions = {
    scheduleToCloseTimeout: wholeTime(limits) + REPORT_MARGIN_MS,
    retry: retryPolicy(limits.delays ?? MODEL_RETRY_DELAYS),
    summary: summariseModelCall(choice, purpose),
  };
  return choice.provider === 'builtin'
    ? proxyLocalActivities<ModelActivities>(options)
    : proxyActivities<ModelActivities>({
        ...options,
        ...inQueue('models'),
        // A call waits at its worker for the calls before it, but no longer than it may take for a worker.
        scheduleToStartTimeout: limits.timeoutMs + REPORT_MARGIN_MS,
        heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
      });
}

/** What a plan is made of besides the messages. */
interface PlanMeans {
  /** The only tool to choose from. */
  readonly tool?: StoredTool;
  /** As `plan` takes them. */
  readonly files?: readonly TurnFile[] | undefined;
}

/**
 * Asks a model which tools to run next; with `tool`, which arguments to call that tool with.
 * @throws ApplicationFailure with a code of `LlmProvider`; the cancellation when the run is cancelled
 */
export function planStep(call: ModelCall, { tool, files }: PlanMeans = {}): Promise<Plan> {
  const purpose = tool === undefined ? 'choose tools' : `arguments of ${tool.name}`;
  const deadline = Date.now() + wholeTime(call.limits);
  const { plan } = activities(call, purpose);
  const input = { ...call, deadline, tool };
  return withModelFailure(call, () => (files === undefined ? plan(input) : plan(input, files)));
}

/** Asks a model to generate text. @param step the call's name within the run @throws as `planStep` does */
export function generateStep(call: ModelCall, step: string): Promise<ChatResult> {
  const { messages, choice, limits, schema, allowance } = call;
  const deadline = Date.now() + wholeTime(limits);
  const generate = (): Promise<ChatResult> =>
    activities(call).generate({ messages, choice, limits, deadline, step, schema, allowance });
  return withModelFailure(call, () =>
    choice.provider === 'builtin' ? startUncancelled(generate) : generate(),
  );
}

/** Runs the step of a model call. @throws as `planStep` does */
export async function withModelFailure<T>(
  call: Pick<ModelCall, 'choice' | 'limits'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await run();
    // The rules were not cancelled with the run.
    if (call.choice.provider === 'builtin') throwIfCancelled();
    return answer;
  } catch (error) {
    throw isCancellation(error) ? error : toModelFailure(error, call);
  }
}

function toModelFailure(
  error: unknown,
  { choice, limits }: Pick<ModelCall, 'choice' | 'limits'>,
): ApplicationFailure {
  const cause = causeOf(error);
  const { provider, model } = choice;
  const isLate = cause instanceof ApplicationFailure && cause.type === 'MODEL_TIMEOUT' && !isNotSent(cause);
  // The message names the limit of the whole step, because an attempt knows only the time that was left to it.
  if (isLate || cause instanceof TimeoutFailure) {
    const { reason, ...where } = notTaken(cause, 'models') ?? {};
    const late = `The model "${model}" did not answer within ${limits.timeoutMs} ms`;
    const message = reason === undefined ? late : `${late}: ${reason}`;
    const details = { provider, model, timeout: limits.timeoutMs, ...where, ...usageIn(cause) };
    return createFailure('MODEL_TIMEOUT', message, details, cause);
  }
  if (!(cause instanceof ApplicationFailure)) {
    return createFailure('INTERNAL', 'The model could not be called', { provider, model }, cause);
  }
  const { step: _, ...details } = (cause.details?.[0] ?? { provider, model }) as { step?: string };
  return createFailure(cause.type ?? 'INTERNAL', cause.message, details, cause);
}

/** Whether the call waited for others until its time was over; its message says so. */
function isNotSent({ details }: ApplicationFailure): boolean {
  return ((details?.[0] ?? {}) as { readonly waiting?: number }).waiting !== undefined;
}

/** What the call is counted with in the budget of its run, if its attempt said so. */
function usageIn(cause: ApplicationFailure | TimeoutFailure): { readonly usage?: TokenUsage } {
  const [first] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  const { usage } = (first ?? {}) as { readonly usage?: TokenUsage };
  return usage === undefined ? {} : { usage };
}
