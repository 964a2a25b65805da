import type { Approval } from '../../src/contracts/http/approvals';
import type { RunEvent, RunSign, RunStep, StepsUsage } from '../../src/contracts/http/run-events';
import { addCosts } from '../../src/contracts/runs/budgets';
import { addUsage, NO_USAGE } from '../../src/contracts/runs/token-usage';
import { withOutcome } from '../approval';

/** The number of approvals that a record shows; each may have arguments of 16,384 characters twice. */
const MAX_APPROVALS = 100;

export interface StepsOfRun {
  /** In the order in which they were scheduled. */
  readonly steps: readonly RunStep[];
  readonly usage: StepsUsage;
  /** The latest that the run asked for, in their order; absent if it asked for none. */
  readonly approvals?: readonly Approval[];
}

/**
 * Sums up the log of a run by its steps, and by its approvals. Pure.
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
  let costs: Costs | undefined;
  const approvalsById = new Map<string, Approval>();
  for (const event of events) {
    const { step, time, approval } = event;
    if (approval !== undefined) approvalsById.set(approval.id, approval);
    if (step === undefined) continue;
    const { id, name, kind, attempt: attempts } = step;
    if (event.type === 'step.scheduled') {
      const status = hasEnded ? 'cancelled' : 'scheduled';
      steps.set(id, { id, name, kind, status, attempts, scheduledAt: time });
      continue;
    }
    const { error, executionTime, usage: tokens, childTraceId } = event;
    if (tokens !== undefined) usage = addUsage(usage, tokens);
    if (event.costUsd !== undefined && tokens?.totalTokens !== 0) costs = addCost(costs, event.costUsd);
    steps.set(id, {
      ...(steps.get(id) ?? { id, name, kind, scheduledAt: time }),
      status: toStatus(event),
      attempts,
      endedAt: time,
      executionTime,
      error,
      childTraceId,
      tokens,
    });
  }
  for (const { type, step, lastError } of signs) {
    const known = steps.get(step.id);
    if (known?.status !== 'scheduled' || type === 'message.delta') continue;
    const status = type === 'step.started' ? 'running' : 'retrying';
    const error = lastError === undefined ? {} : { error: lastError };
    steps.set(step.id, { ...known, status, attempts: step.attempt, ...error });
  }
  const all = [...steps.values()];
  // A call that waits to be made has not been made yet.
  const toolCalls = all.filter(({ kind, endedAt }) => kind === 'tool' && endedAt !== undefined).length;
  const approvals = [...approvalsById.values()]
    .slice(-MAX_APPROVALS)
    // A run that was terminated has no event for the end of its approvals.
    .map((one) => (hasEnded && one.status === 'pending' ? withOutcome(one, { status: 'expired' }) : one));
  return {
    steps: all,
    usage: costs === undefined ? usage : { ...usage, ...costs, toolCalls },
    approvals: approvals.length > 0 ? approvals : undefined,
  };
}

interface Costs {
  readonly costUsd: number | null;
  readonly modelCalls: number;
}

function addCost(sum: Costs = { costUsd: 0, modelCalls: 0 }, costUsd: number | null): Costs {
  return { costUsd: addCosts(sum.costUsd, costUsd), modelCalls: sum.modelCalls + 1 };
}

function toStatus({ error }: RunEvent): RunStep['status'] {
  if (error === undefined) return 'completed';
  return error.code === 'RUN_CANCELLED' ? 'cancelled' : 'failed';
}
