import type { TokenUsage } from '../../src/contracts/http/llm';
import type { RunEvent, RunSign, RunStep } from '../../src/contracts/http/run-events';
import { addUsage, NO_USAGE } from '../../src/contracts/runs/token-usage';

export interface StepsOfRun {
  /** In the order in which they were scheduled. */
  readonly steps: readonly RunStep[];
  /** The tokens of all steps together. */
  readonly usage: TokenUsage;
}

/**
 * Sums up the log of a run by its steps. Pure.
 * @param events the log so far
 * @param signs what the steps without an end do at the moment
 * @param hasEnded whether the run has ended, so that no step goes on
 */
export function toRunSteps(
  events: readonly RunEvent[],
  signs: readonly RunSign[],
  hasEnded: boolean,
): StepsOfRun {
  const steps = new Map<string, RunStep>();
  let usage = NO_USAGE;
  for (const event of events) {
    const { step, time } = event;
    if (step === undefined) continue;
    const { id, name, kind, attempt: attempts } = step;
    if (event.type === 'step.scheduled') {
      const status = hasEnded ? 'cancelled' : 'scheduled';
      steps.set(id, { id, name, kind, status, attempts, scheduledAt: time });
      continue;
    }
    const { error, executionTime, usage: tokens } = event;
    if (tokens !== undefined) usage = addUsage(usage, tokens);
    steps.set(id, {
      ...(steps.get(id) ?? { id, name, kind, scheduledAt: time }),
      status: toStatus(event),
      attempts,
      endedAt: time,
      ...(executionTime === undefined ? {} : { executionTime }),
      ...(error === undefined ? {} : { error }),
      ...(tokens === undefined ? {} : { tokens }),
    });
  }
  for (const { type, step, lastError } of signs) {
    const known = steps.get(step.id);
    if (known?.status !== 'scheduled' || type === 'message.delta') continue;
    const status = type === 'step.started' ? 'running' : 'retrying';
    const error = lastError === undefined ? {} : { error: lastError };
    steps.set(step.id, { ...known, status, attempts: step.attempt, ...error });
  }
  return { steps: [...steps.values()], usage };
}

function toStatus({ error }: RunEvent): RunStep['status'] {
  if (error === undefined) return 'completed';
  return error.code === 'RUN_CANCELLED' ? 'cancelled' : 'failed';
}
