import type { Schemas } from './client';

export type Run = Schemas['Run'];
export type RunEvent = Schemas['RunEvent'] | Schemas['RunSign'];
export type RunStep = NonNullable<Run['steps']>[number];

/** A step of a run that may be followed: what the record has, and what only those see who follow. */
export interface LiveStep extends RunStep {
  /** What a model has said so far. */
  readonly text?: string;
  readonly costUsd?: number | null | undefined;
  /** Why earlier attempts failed. */
  readonly failures?: readonly { readonly attempt: number; readonly error: NonNullable<RunStep['error']> }[];
}

/** The steps by their ids, in the order in which they were scheduled. */
export type LiveSteps = ReadonlyMap<string, LiveStep>;

/**
 * Returns the steps after some events of their run. Events that come twice change nothing. Pure.
 */
export function applyEvents(steps: LiveSteps, events: readonly RunEvent[]): LiveSteps {
  const next = new Map(steps);
  for (const event of events) {
    if (event.step === undefined) continue;
    const { id, name, kind, attempt } = event.step;
    const before = next.get(id) ?? {
      id,
      name,
      kind,
      status: 'scheduled' as const,
      attempts: attempt,
      scheduledAt: event.time,
    };
    next.set(id, after(before, event));
  }
  return next;
}

function after(step: LiveStep, event: RunEvent): LiveStep {
  const attempts = Math.max(step.attempts, event.step?.attempt ?? 1);
  const failed =
    event.lastError === undefined || event.step === undefined
      ? step
      : { ...step, failures: withFailure(step.failures, event.step.attempt - 1, event.lastError) };
  switch (event.type) {
    case 'step.started':
      return isOver(step) ? step : { ...failed, attempts, status: 'running' };
    case 'step.retrying':
      return isOver(step) ? step : { ...failed, attempts, status: 'retrying' };
    case 'message.delta':
      // A new attempt begins again at the first character.
      return { ...step, text: `${(step.text ?? '').slice(0, event.offset)}${event.text ?? ''}` };
    case 'step.completed':
    case 'step.failed': {
      const { executionTime, childTraceId, error, usage: tokens, costUsd } = event;
      const status = event.type === 'step.completed' ? 'completed' : 'failed';
      return {
        ...failed,
        attempts,
        status,
        endedAt: event.time,
        executionTime,
        childTraceId,
        error,
        tokens,
        costUsd,
      };
    }
    default:
      return step;
  }
}

const isOver = ({ status }: LiveStep): boolean => status === 'completed' || status === 'failed';

function withFailure(
  failures: LiveStep['failures'] = [],
  attempt: number,
  error: NonNullable<RunStep['error']>,
): LiveStep['failures'] {
  return [...failures.filter((each) => each.attempt !== attempt), { attempt, error }];
}
