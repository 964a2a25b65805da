import type { Plan, PlannerLoopInput, ReusedPlan } from '../../src/contracts/runs/workflows';
import type { StepPayloads } from './step-payloads';

/** A plan of a run, whose calls are numbered through all of its plans. */
export interface NumberedPlan {
  /** The id of its step; absent for a plan of another run. */
  readonly id?: string;
  /** The number that its first call has, or would have. */
  readonly first: number;
  /** Absent: the model did not answer. */
  readonly plan?: ReusedPlan;
}

/** The steps of a run that plans. */
interface PlannedSteps {
  readonly steps: ReadonlyMap<string, StepPayloads>;
  /** Reads what a step returned; undefined if it has not ended, or failed. */
  readResult(id: string): Promise<unknown>;
}

/** Reads the plans of a run that plans, in order. @throws the error of the store */
export async function readPlans(
  run: PlannedSteps,
  { reused }: Pick<PlannerLoopInput, 'reused'>,
): Promise<NumberedPlan[]> {
  const plans: NumberedPlan[] = [];
  let first = 1;
  const add = (plan: ReusedPlan | undefined, id?: string): void => {
    plans.push({ first, plan, id });
    first += plan?.calls.length ?? 0;
  };
  for (const plan of reused?.plans ?? []) add(plan);
  for (const [id, { step }] of run.steps) {
    if (step.kind !== 'model' || step.name !== 'plan') continue;
    const answer = (await run.readResult(id)) as Plan | undefined;
    if (answer === undefined) {
      add(undefined, id);
      continue;
    }
    const { usage: _, ...plan } = answer;
    add(plan, id);
  }
  return plans;
}
