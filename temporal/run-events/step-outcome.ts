import {
  ApplicationFailure,
  CancelledFailure,
  defaultFailureConverter,
  defaultPayloadConverter,
  TimeoutFailure,
} from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { RunError, RunEvent, StepKind } from '../../src/contracts/http/run-events';
import { tokenUsageSchema } from '../../src/contracts/http/llm';
import { fitDetail } from '../../src/contracts/json';
import type { Classification } from '../../src/contracts/http/intents';
import type { ClassifiedQuery } from '../../src/contracts/runs/intents';
import type { ActivityCause } from '../../src/contracts/runs/call-failures';
import { addUsage } from '../../src/contracts/runs/token-usage';
import type { LeadingResult } from '../../src/templates/following-calls';
import type { SettledToolStep, ToolStepResult } from '../../src/contracts/runs/tools';

type Failure = temporal.api.failure.v1.IFailure;

/** What an event says about the outcome of a step. */
export type OutcomeFields = Pick<
  RunEvent,
  'executionTime' | 'output' | 'text' | 'provider' | 'model' | 'usage' | 'error' | 'childTraceId'
>;

/** The outcome of a tool call, with its name if the history has it. */
export interface CallOutcome {
  readonly id?: string | undefined;
  readonly toolName?: string | undefined;
  readonly fields: OutcomeFields;
}

export const STEP_CANCELLED: RunError = { code: 'RUN_CANCELLED', message: 'The step was cancelled' };

const TIMEOUT_CODES: Partial<Record<StepKind, string>> = { tool: 'TOOL_TIMEOUT', model: 'MODEL_TIMEOUT' };

/** Reads the outcomes of an activity that ran one or several tool calls, in the order of the calls. Pure. */
export function readCallOutcomes(result: unknown): CallOutcome[] {
  return readCalls(result).map(toCallOutcome);
}

/** Reads the results of an activity that ran one or several tool calls, in the order of the calls. Pure. */
export function readCalls(result: unknown): readonly SettledToolStep[] {
  if (Array.isArray(result)) return result as SettledToolStep[];
  const { following = [], ...first } = result as LeadingResult;
  const { step, toolName } = first;
  return [{ succeeded: true, step, toolName, result: first }, ...following];
}

function toCallOutcome(settled: SettledToolStep): CallOutcome {
  const { step: id, toolName } = settled;
  if (settled.succeeded) return { id, toolName, fields: toToolFields(settled.result) };
  const { code, message, details } = settled;
  return { id, toolName, fields: { error: withDetails({ code, message }, details) } };
}

function toToolFields({ output, executionTime }: ToolStepResult): OutcomeFields {
  return { executionTime, output: fitDetail(output) };
}

/**
 * Reads what a model said and what that cost, also of the classification of a turn and of a part of a batch. Empty for a
 * result of another form. Pure.
 */
export function readModelOutcome(result: unknown): OutcomeFields {
  if (Array.isArray(result)) return readBatchOutcome(result);
  const { metadata, ...rest } = (result ?? {}) as { readonly metadata?: Classification['metadata'] };
  const { content, text, provider, model, usage }: Readonly<Record<string, unknown>> =
    metadata === undefined ? rest : { model: metadata.modelUsed, usage: metadata.usage };
  const answerText = content ?? text;
  const tokens = tokenUsageSchema.safeParse(usage);
  return {
    text: typeof answerText === 'string' && answerText !== '' ? answerText : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
    model: typeof model === 'string' ? model : undefined,
    usage: tokens.data,
  };
}

function readBatchOutcome(classified: readonly ClassifiedQuery[]): OutcomeFields {
  const counted = classified.flatMap((query) => ('usage' in query && query.usage ? [query.usage] : []));
  return counted.length === 0 ? {} : { usage: counted.reduce(addUsage) };
}

/** The error of a step, and the name that the failure of a local activity carries. */
export interface StepFailure {
  readonly id?: string | undefined;
  readonly toolName?: string | undefined;
  readonly error: RunError;
}

/** Reads the failure of a step. Pure. */
export function readStepFailure(failure: Failure | null | undefined, kind: StepKind): StepFailure {
  const error = defaultFailureConverter.failureToError(failure ?? {}, defaultPayloadConverter);
  if (error instanceof ApplicationFailure) {
    const first = (error.details?.[0] ?? {}) as Readonly<Record<string, unknown>>;
    const { step, toolName, ...details } = first;
    const named = {
      id: typeof step === 'string' ? step : undefined,
      toolName: typeof toolName === 'string' ? toolName : undefined,
    };
    return {
      ...named,
      error: withDetails({ code: error.type ?? 'INTERNAL', message: error.message }, details),
    };
  }
  if (error instanceof CancelledFailure) return { error: STEP_CANCELLED };
  if (error instanceof TimeoutFailure) {
    const message =
      error.timeoutType === 'SCHEDULE_TO_START'
        ? 'No worker took the step in time'
        : 'It did not end in time';
    return { error: { code: TIMEOUT_CODES[kind] ?? 'TIMEOUT', message } };
  }
  return { error: { code: 'INTERNAL', message: error.message } };
}

/**
 * Reads why an activity failed, as its workflow learns it. Pure.
 * @returns undefined for a failure that is neither a timeout nor an error of the activity; `cancelled` if it was cancelled
 */
export function readActivityCause(failure: Failure): ActivityCause | 'cancelled' | undefined {
  const cause = defaultFailureConverter.failureToError(failure, defaultPayloadConverter);
  if (cause instanceof CancelledFailure) return 'cancelled';
  return cause instanceof TimeoutFailure || cause instanceof ApplicationFailure ? cause : undefined;
}

function withDetails(error: RunError, details: unknown): RunError {
  const isEmpty = details === undefined || Object.keys(details as object).length === 0;
  return isEmpty ? error : { ...error, details: fitDetail(details) };
}
