import { temporal } from '@temporalio/proto';
import type { RunSign } from '../../src/contracts/http/run-events';
import { beforeDeadline } from '../deadline';
import type { Engine } from '../engine';
import { toMs } from '../proto-time';
import { serverClock } from '../server-clock';
import type { StartedRun } from '../runs/started-run';
import type { LiveMessages } from './live-messages';
import type { OpenStep } from './run-log';
import { readStepFailure } from './step-outcome';
import type { LiveText } from '../../src/contracts/runs/outputs';
import { readFirst } from '../payloads/large-values';

type PendingActivity = temporal.api.workflow.v1.IPendingActivityInfo;

const { PENDING_ACTIVITY_STATE_STARTED, PENDING_ACTIVITY_STATE_SCHEDULED } =
  temporal.api.enums.v1.PendingActivityState;
const LIMIT_MS = 1_000;

/**
 * Finds out which steps have begun an attempt, which wait for another one after a failure, and what the heartbeats of models say. A
 * history shows none of it before the step ends, so the server is asked for the pending activities.
 */
export class PendingSteps {
  /** The last state of each step that a sign was made of. */
  readonly #known = new Map<string, string>();

  constructor(
    private readonly engine: Engine,
    private readonly run: StartedRun,
    /** Absent: what models say is not read. */
    private readonly messages?: Pick<LiveMessages, 'hear'>,
  ) {}

  /**
   * Asks once.
   * @param open the steps whose end is not in the history by now
   * @returns a sign for each step that has changed since the last call
   * @throws the client's error if the server cannot be asked
   */
  async look(open: () => readonly OpenStep[]): Promise<RunSign[]> {
    if (!open().some(({ activityId }) => activityId)) return [];
    const { client, native, namespace } = this.engine.current();
    // Without a run id, the server describes the latest run of the chain.
    const request = { namespace, execution: { workflowId: this.run.workflowId } };
    const { pendingActivities } = await beforeDeadline(native, Date.now() + LIMIT_MS, () =>
      client.workflowService.describeWorkflowExecution(request),
    );
    // A step may have ended while the server was asked, and nothing follows the end of a step.
    const steps = new Map(open().map((step) => [step.activityId, step]));
    return pendingActivities.flatMap((pending) => {
      const openStep = pending.activityId ? steps.get(pending.activityId) : undefined;
      try {
        return openStep === undefined ? [] : this.#toSigns(pending, openStep);
      } catch {
        // A failure whose details are stored by reference cannot be read here. Other steps have signs nevertheless.
        return [];
      }
    });
  }

  #toSigns(pending: PendingActivity, open: OpenStep): RunSign[] {
    this.#hear(pending, open);
    return this.#toStepSign(pending, open);
  }

  #hear({ attempt, heartbeatDetails }: PendingActivity, { step: { id, name, kind } }: OpenStep): void {
    const live = kind === 'model' ? (readFirst(heartbeatDetails) as LiveText | null | undefined) : undefined;
    if (live?.text !== undefined) this.messages?.hear({ id, name, kind, attempt: attempt || 1 }, live);
  }

  #toStepSign(pending: PendingActivity, { step: { id, name, kind } }: OpenStep): RunSign[] {
    const { state, attempt, lastFailure } = pending;
    const isRetrying = state === PENDING_ACTIVITY_STATE_SCHEDULED && (attempt || 1) > 1;
    if (state !== PENDING_ACTIVITY_STATE_STARTED && !isRetrying) return [];
    const type = isRetrying ? 'step.retrying' : 'step.started';
    const is = `${type} ${attempt}`;
    if (this.#known.get(id) === is) return [];
    this.#known.set(id, is);
    const time = isRetrying ? pending.lastAttemptCompleteTime : pending.lastStartedTime;
    return [
      {
        type,
        runId: this.run.runId,
        time: new Date(toMs(time) || serverClock.now()).toISOString(),
        step: { id, name, kind, attempt: attempt || 1 },
        lastError: lastFailure ? readStepFailure(lastFailure, kind).error : undefined,
      },
    ];
  }
}
