import type { PlannerLoopResult } from '../../src/contracts/runs/workflows';

/** Builds the envelope's message for a planner loop, which says so if the loop was stopped with work left. */
export function plannerMessage(
  { success, iterations, errors }: Pick<PlannerLoopResult, 'success' | 'iterations' | 'errors'>,
  completed: string,
): string {
  if (success) return completed;
  const isStuck = errors.at(-1)?.code === 'PLANNER_STUCK';
  return `Stopped after ${iterations} iterations ${isStuck ? 'in which the planner went in a circle' : 'with work left'}`;
}
