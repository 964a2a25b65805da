import type { temporal } from '@temporalio/proto';
import type { RunEvent, RunStepName } from '../../src/contracts/http/run-events';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;
type Failure = temporal.api.failure.v1.IFailure;

/** Where the history of a run has the values of one step. */
export interface StepPayloads {
  readonly step: RunStepName;
  readonly summary: string | undefined;
  /** The arguments of its activity; absent for a local activity, of which a history has the result alone. */
  readonly input?: readonly Payload[] | undefined;
  /** Absent before its end, and if it failed. */
  readonly result?: Payload | undefined;
  /** Present if its activity failed. */
  readonly failure?: Failure | undefined;
  /** The place of the step among the calls that shared its activity, from 0. */
  readonly place: number;
}

/**
 * Collects where a history has what the steps of its run received and returned, with references to the store as they are: a value
 * is read when it is needed.
 */
export class StepCollector {
  readonly #raw: Pick<StepPayloads, 'input' | 'result' | 'failure'>[] = [];
  #taskQueue = '';
  /** In the order in which the history has them. */
  readonly steps = new Map<string, StepPayloads>();
  /** How the approvals of steps ended, by the ids of the steps. */
  readonly answers = new Map<string, Payload>();

  /** That of the run; empty before the first event. */
  get taskQueue(): string {
    return this.#taskQueue;
  }

  /** Takes an event of the history before its values are read. */
  note(event: HistoryEvent): void {
    this.#taskQueue ||= event.workflowExecutionStartedEventAttributes?.taskQueue?.name ?? '';
    const { input } =
      event.activityTaskScheduledEventAttributes ??
      event.startChildWorkflowExecutionInitiatedEventAttributes ??
      {};
    const result =
      event.activityTaskCompletedEventAttributes?.result ??
      event.childWorkflowExecutionCompletedEventAttributes?.result ??
      event.markerRecordedEventAttributes?.details?.['result'];
    const { failure } =
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.childWorkflowExecutionFailedEventAttributes ??
      event.markerRecordedEventAttributes ??
      {};
    // References are replaced in the list itself when the log is read.
    this.#raw.push({
      input: input?.payloads?.slice(),
      result: result?.payloads?.[0],
      failure: failure ?? undefined,
    });
  }

  /** Adds what the log has of the next of the events that were noted. */
  add(logged: readonly RunEvent[]): void {
    const { input, result, failure } = this.#raw.shift() ?? {};
    let place = 0;
    for (const { type, step, summary, approval, error } of logged) {
      if (type === 'approval.answered' && approval !== undefined && result !== undefined)
        this.answers.set(approval.step, result);
      if (step === undefined) continue;
      const before = this.steps.get(step.id);
      if (before === undefined || type === 'step.scheduled') {
        this.steps.set(step.id, { step, summary, input, place });
        continue;
      }
      const ended = error === undefined ? { result, failure: undefined } : { result: undefined, failure };
      this.steps.set(step.id, { ...before, ...ended, place });
      place += 1;
    }
  }
}
