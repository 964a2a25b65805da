import type { temporal } from '@temporalio/proto';
import type { Approval } from '../../src/contracts/http/approvals';
import type { RunError, RunEvent, RunStepName, StepKind } from '../../src/contracts/http/run-events';
import { CALL_MEMO, type CallMemo } from '../../src/contracts/runs/agent-calls';
import { EXTERNAL_CALL_TYPE } from '../../src/contracts/runs/external-calls';
import type { RunPrices } from '../../src/contracts/runs/budgets';
import {
  APPROVAL_TYPE,
  type ApprovalOutcome,
  type ApprovalQuestion,
  QUESTION_MEMO,
} from '../../src/contracts/runs/approvals';
import { toApproval, withOutcome } from '../approval';
import { toMs } from '../proto-time';
import type { StartedRun } from '../runs/started-run';
import { readCost, readPrices } from './run-costs';
import { readRunEnd } from './run-end';
import { stepKindOf } from './step-kinds';
import {
  type CallOutcome,
  type OutcomeFields,
  readCallOutcomes,
  readModelOutcome,
  readStepFailure,
  STEP_CANCELLED,
  type StepFailure,
} from './step-outcome';
import { readFirst, readPayload } from '../payloads/large-values';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type EventFields = Omit<RunEvent, 'runId' | 'sequence' | 'time'>;

/** The signal by which a turn asks an earlier turn of its session to report its end. */
const WAITING_SIGNAL = 'tellWhenOver';
const LOCAL_ACTIVITY = 'core_local_activity';

/** A step whose end is not in the history yet. */
export interface OpenStep {
  readonly step: RunStepName;
  readonly summary: string | undefined;
  /** Absent for a child run. */
  readonly activityId?: string;
  /** Why the attempt before failed. */
  readonly lastError?: RunError;
}

/**
 * Converts the history of a run to the events of its log. Each event of the history gives the same events of the log,
 * whenever and by whichever process it is read, so sequences need not be stored. The events of a run that continues as
 * new are added after those of the runs before it in its chain.
 */
export class RunLog {
  readonly #run: StartedRun;
  #sequence = 0;
  #cancelReason: string | undefined;
  #isWaiting = false;
  /** The ids of the history events by which the run asked earlier turns to report their end. */
  readonly #asking = new Set<string>();
  #workflowType = '';
  #prices: RunPrices | undefined;
  /** How many steps without a name there are, by activity. */
  readonly #unnamed = new Map<string, number>();
  /** By the id of the history event that scheduled the step. */
  readonly #open = new Map<string, OpenStep>();
  /** Approvals, by the id of the history event that asked for each: all, and those that wait for an answer. */
  readonly #asked = new Map<string, Approval>();
  readonly #pending = new Map<string, Approval>();

  /** @param run the first run of the chain */
  constructor(run: StartedRun) {
    this.#run = run;
  }

  /** Empty before the first event. */
  get workflowType(): string {
    return this.#workflowType;
  }

  /** The steps whose end is not in the history yet, except local activities, which a history has only with their end. */
  get openSteps(): readonly OpenStep[] {
    return [...this.#open.values()];
  }

  /** The approvals that the run waits for. */
  get pendingApprovals(): readonly Approval[] {
    return [...this.#pending.values()];
  }

  /** Adds the next event of the history, with references resolved, and returns what it adds to the log. */
  add(event: HistoryEvent): RunEvent[] {
    const time = new Date(toMs(event.eventTime)).toISOString();
    return this.#read(event).map(({ type, ...fields }) => {
      this.#sequence += 1;
      const costUsd = readCost(fields, this.#prices);
      const cost = costUsd === undefined ? {} : { costUsd };
      return { type, runId: this.#run.runId, sequence: this.#sequence, time, ...fields, ...cost };
    });
  }

  #read(event: HistoryEvent): EventFields[] {
    const { workflowExecutionStartedEventAttributes: started } = event;
    // A run that continues another one of its chain does not start again.
    if (started) this.#prices ??= readPrices(started);
    if (started) return this.#sequence > 0 ? [] : [this.#startOf(started.workflowType?.name ?? '')];
    const requested = event.workflowExecutionCancelRequestedEventAttributes;
    if (requested) this.#cancelReason = requested.cause || undefined;
    const asking = event.signalExternalWorkflowExecutionInitiatedEventAttributes;
    if (asking?.signalName === WAITING_SIGNAL) this.#asking.add(String(event.eventId));
    // The earlier turn has got the signal, so it is open. If it has ended, the signal fails and nothing is waited for.
    const signal = event.externalWorkflowExecutionSignaledEventAttributes;
    if (signal && !this.#isWaiting && this.#asking.has(String(signal.initiatedEventId))) {
      this.#isWaiting = true;
      return [{ type: 'run.waiting', reason: 'earlier-turn' }];
    }
    if (event.workflowExecutionContinuedAsNewEventAttributes) this.#open.clear();
    const end = readRunEnd(event, this.#run, this.#cancelReason);
    if (end !== undefined) return [end];
    return (
      this.#readLocal(event) ??
      this.#readActivity(event) ??
      this.#readApproval(event) ??
      this.#readChild(event) ??
      []
    );
  }

  #startOf(workflowType: string): EventFields {
    this.#workflowType = workflowType;
    return { type: 'run.started', workflowId: this.#run.workflowId, workflowType };
  }

  /** Reads the end of a local activity, the only event that it has. */
  #readLocal({
    markerRecordedEventAttributes: marker,
    userMetadata,
  }: HistoryEvent): EventFields[] | undefined {
    if (marker?.markerName !== LOCAL_ACTIVITY) return undefined;
    const about = readFirst(marker.details?.['data']) as LocalActivity;
    const { activity_type: activity, attempt = 1, backoff } = about;
    const kind = stepKindOf(activity);
    // With a backoff, the activity is tried again after a timer, and another marker has its end.
    if (kind === undefined || backoff != null) return [];
    const summary = readSummary(userMetadata);
    if (marker.failure) {
      const failure = readStepFailure(marker.failure, kind);
      return this.#wholeStep(activity, kind, attempt, { summary, ...toOutcome(failure) });
    }
    const result = readFirst(marker.details?.['result']);
    if (kind !== 'tool') {
      const id = kind === 'model' ? (result as { step?: string } | null)?.step : undefined;
      return this.#wholeStep(activity, kind, attempt, { summary, id, fields: readModelOutcome(result) });
    }
    const outcomes = readCallOutcomes(result);
    // The summary of several calls is not that of each.
    const one = outcomes.length === 1 ? summary : undefined;
    return outcomes.flatMap((each) => this.#wholeStep(activity, kind, attempt, { summary: one, ...each }));
  }

  #wholeStep(
    activity: string,
    kind: StepKind,
    attempt: number,
    { id, toolName, summary, fields }: CallOutcome & { readonly summary: string | undefined },
  ): EventFields[] {
    const step = this.#nameStep(activity, kind, id, toolName);
    return [
      { type: 'step.scheduled', step, summary },
      { type: toStepEnd(fields), step: { ...step, attempt }, ...fields },
    ];
  }

  #readActivity(event: HistoryEvent): EventFields[] | undefined {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) {
      const activity = scheduled.activityType?.name ?? '';
      const kind = stepKindOf(activity);
      if (kind === undefined) return [];
      const named = kind === 'tool' || activity === 'generate';
      const input = (named ? readFirst(scheduled.input) : undefined) as CallInput | undefined;
      const step = this.#nameStep(activity, kind, input?.step, input?.toolName);
      const summary = readSummary(event.userMetadata);
      this.#open.set(String(event.eventId), { step, summary, activityId: scheduled.activityId ?? '' });
      return [{ type: 'step.scheduled', step, summary }];
    }
    const started = event.activityTaskStartedEventAttributes;
    if (started) {
      this.#noteAttempt(String(started.scheduledEventId), started);
      return [];
    }
    const completed = event.activityTaskCompletedEventAttributes;
    if (completed) {
      return this.#endStep(completed.scheduledEventId, ({ step: { kind } }) => {
        if (kind !== 'tool' && kind !== 'model') return {};
        const result = readFirst(completed.result);
        return kind === 'tool' ? (readCallOutcomes(result)[0]?.fields ?? {}) : readModelOutcome(result);
      });
    }
    const failed = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
    if (failed) {
      return this.#endStep(failed.scheduledEventId, ({ step: { kind } }) => ({
        error: readStepFailure(failed.failure, kind).error,
      }));
    }
    const cancelled = event.activityTaskCanceledEventAttributes;
    return cancelled
      ? this.#endStep(cancelled.scheduledEventId, () => ({ error: STEP_CANCELLED }))
      : undefined;
  }

  #noteAttempt(
    scheduledId: string,
    { attempt, lastFailure }: temporal.api.history.v1.IActivityTaskStartedEventAttributes,
  ): void {
    const open = this.#open.get(scheduledId);
    if (open === undefined) return;
    const { step } = open;
    this.#open.set(scheduledId, {
      ...open,
      step: { ...step, attempt: attempt || 1 },
      ...(lastFailure ? { lastError: readStepFailure(lastFailure, step.kind).error } : {}),
    });
  }

  #readChild(event: HistoryEvent): EventFields[] | undefined {
    const initiated = event.startChildWorkflowExecutionInitiatedEventAttributes;
    if (initiated) {
      const { workflowId, workflowType } = initiated;
      if (workflowType?.name === APPROVAL_TYPE) {
        const question = readPayload(initiated.memo?.fields?.[QUESTION_MEMO]) as ApprovalQuestion;
        this.#asked.set(String(event.eventId), toApproval(workflowId ?? '', question, undefined));
        return [];
      }
      const called = readPayload(initiated.memo?.fields?.[CALL_MEMO]) as CallMemo | undefined;
      const id = called?.step ?? (workflowId ?? '').replace(`${this.#run.workflowId}/`, '');
      const name = called?.toolName ?? workflowType?.name ?? '';
      const kind = workflowType?.name === EXTERNAL_CALL_TYPE ? 'tool' : 'run';
      const step = { id, name, kind, attempt: 1 } as const;
      const summary = readSummary(event.userMetadata);
      this.#open.set(String(event.eventId), { step, summary });
      return [{ type: 'step.scheduled', step, summary }];
    }
    const completed = event.childWorkflowExecutionCompletedEventAttributes;
    if (completed)
      return this.#endChild(completed, ({ step: { kind } }) =>
        kind === 'tool' ? (readCallOutcomes(readFirst(completed.result))[0]?.fields ?? {}) : {},
      );
    const failed = event.childWorkflowExecutionFailedEventAttributes;
    if (failed)
      return this.#endChild(failed, ({ step }) => ({
        error: readStepFailure(failed.failure, step.kind).error,
      }));
    const late = event.childWorkflowExecutionTimedOutEventAttributes;
    if (late) return this.#endChild(late, () => ({ error: CHILD_LATE }));
    const ended =
      event.childWorkflowExecutionCanceledEventAttributes ??
      event.childWorkflowExecutionTerminatedEventAttributes ??
      event.startChildWorkflowExecutionFailedEventAttributes;
    return ended ? this.#endChild(ended, () => ({ error: CHILD_STOPPED })) : undefined;
  }

  #endChild(
    {
      initiatedEventId,
      workflowExecution,
    }: temporal.api.history.v1.IChildWorkflowExecutionCompletedEventAttributes,
    read: (open: OpenStep) => OutcomeFields,
  ): EventFields[] {
    return this.#endStep(initiatedEventId, (open) => ({
      ...read(open),
      childTraceId: workflowExecution?.runId ?? undefined,
    }));
  }

  /** Reads the start and the end of an approval. Before its start it cannot be answered. */
  #readApproval(event: HistoryEvent): EventFields[] | undefined {
    const started = event.childWorkflowExecutionStartedEventAttributes;
    const approval = this.#asked.get(String(started?.initiatedEventId));
    if (approval !== undefined) {
      this.#pending.set(String(started?.initiatedEventId), approval);
      return [{ type: 'approval.requested', approval }];
    }
    const ended =
      event.childWorkflowExecutionCompletedEventAttributes ??
      event.childWorkflowExecutionCanceledEventAttributes ??
      event.childWorkflowExecutionTerminatedEventAttributes;
    const pending = this.#pending.get(String(ended?.initiatedEventId));
    if (pending === undefined) return undefined;
    this.#pending.delete(String(ended?.initiatedEventId));
    const result = event.childWorkflowExecutionCompletedEventAttributes?.result;
    const outcome = (readFirst(result) as ApprovalOutcome | undefined) ?? { status: 'expired' };
    return [{ type: 'approval.answered', approval: withOutcome(pending, outcome) }];
  }

  #endStep(scheduledId: unknown, read: (open: OpenStep) => OutcomeFields): EventFields[] {
    const open = this.#open.get(String(scheduledId));
    // An activity that is no step.
    if (open === undefined) return [];
    this.#open.delete(String(scheduledId));
    const { step, lastError } = open;
    const fields = read(open);
    return [{ type: toStepEnd(fields), step, ...fields, lastError }];
  }

  /** @param id of the step; undefined for a step that has none, or in histories of earlier builds */
  #nameStep(activity: string, kind: StepKind, id: string | undefined, toolName?: string): RunStepName {
    const name = toolName ?? activity;
    if (id !== undefined) return { id, name, kind, attempt: 1 };
    const number = (this.#unnamed.get(activity) ?? 0) + 1;
    this.#unnamed.set(activity, number);
    return { id: `${activity}-${number}`, name, kind, attempt: 1 };
  }
}

/** What the SDK writes about a local activity. */
interface LocalActivity {
  readonly activity_type: string;
  readonly attempt?: number;
  readonly backoff?: unknown;
}

interface CallInput {
  readonly step?: string;
  readonly toolName?: string;
}

const CHILD_LATE: RunError = { code: 'TIMEOUT', message: 'The run of this step did not end in time' };
const CHILD_STOPPED: RunError = { code: 'RUN_CANCELLED', message: 'The run of this step was stopped' };

function toStepEnd({ error }: OutcomeFields): 'step.completed' | 'step.failed' {
  return error === undefined ? 'step.completed' : 'step.failed';
}

function toOutcome({ id, toolName, error }: StepFailure): CallOutcome {
  return { id, toolName, fields: { error } };
}

function readSummary(metadata: temporal.api.sdk.v1.IUserMetadata | null | undefined): string | undefined {
  const summary = readPayload(metadata?.summary);
  return typeof summary === 'string' ? summary : undefined;
}
