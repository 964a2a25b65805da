import { validationError } from '../src/base/errors';
import type { RunEvent } from '../src/contracts/http/run-events';
import type { ToolCall, ToolStepResult } from '../src/contracts/runs/tools';
import type { PlannerLoopInput, ReusedOutcome, ReusedPlans } from '../src/contracts/runs/workflows';
import { MAX_TRANSCRIPT_LENGTH } from '../src/contracts/workflow-limits';
import type { DerivedRun } from '../temporal/run-events/derive-input';
import { type NumberedPlan, readPlans } from '../temporal/run-events/read-plans';
import { checkLength, checkNames, type RerunRequest } from './reused-steps';

/** What the rerun of a planned run takes instead of asking the model and making calls. */
export interface TakenPlans {
  /** The numbers of the calls whose outcomes are those of the first run. */
  readonly ids: readonly string[];
  /** Absent: the run is repeated as a whole. */
  readonly plans?: ReusedPlans;
}

/** A planned run that has ended. */
export interface PlannedRun {
  readonly derived: DerivedRun;
  readonly events: readonly RunEvent[];
  readonly input: PlannerLoopInput;
}

/**
 * Takes the plans and calls before a call, or before a plan, from a run that planned. If the call is the first of its plan, the model
 * is asked for that plan again; if not, that plan stays, and its calls from there on are made. A run that ended after its last plan
 * can begin with the plan that would have come next.
 * @throws HoldfastError `VALIDATION` for a step that the run does not have or cannot come to, and for what a planned run cannot have
 *   otherwise; `PAYLOAD_TOO_LARGE`; the error of the store
 */
export async function reusePlans(run: PlannedRun, request: RerunRequest): Promise<TakenPlans> {
  const { fromStep, overrides = {} } = request;
  if (fromStep === undefined && Object.keys(overrides).length === 0) {
    checkNames(request, [], []);
    return { ids: [] };
  }
  const plans = withNextPlan(await readPlans(run.derived, run.input));
  const numbers = plans.flatMap(({ plan, first }) => (plan?.calls ?? []).map((_, at) => String(first + at)));
  const planIds = plans.flatMap(({ id }) => id ?? []);
  checkNames(request, [...numbers, ...planIds], []);
  const reached = reachedCalls(run, plans, overrides);
  const checkReached = (id: string, field: string): void => {
    if (!reached.has(id))
      throw validationError(
        field,
        `the run did not make the call ${id}, and the one before it has no result`,
      );
  };
  if (fromStep !== undefined && !planIds.includes(fromStep)) checkReached(fromStep, 'fromStep');
  const { taken, firstMade } = takePlans(plans, fromStep);
  for (const [id, { config }] of Object.entries(overrides)) {
    if (config !== undefined)
      throw validationError(`overrides.${id}.config`, 'the calls of this run are chosen by its model');
    if (!(Number(id) < firstMade))
      throw validationError(`overrides.${id}`, 'must be a call before fromStep: the others are made again');
    checkReached(id, `overrides.${id}`);
  }
  const outcomes: Record<string, ReusedOutcome> = {};
  const calls = taken.flatMap((plan) => plan.calls).slice(0, firstMade - 1);
  for (const [index, { call }] of calls.entries()) {
    const id = String(index + 1);
    const outcome = await outcomeOf(run, id, call);
    const result = overrides[id]?.result;
    if (result !== undefined) outcomes[id] = { args: outcome?.args, output: result, executionTime: 0 };
    else if (outcome !== undefined) outcomes[id] = outcome;
    else if (run.derived.steps.has(id))
      throw validationError('fromStep', `the call ${id} has no outcome: begin with it, or give its result`);
  }
  checkLength(outcomes, MAX_TRANSCRIPT_LENGTH);
  const ids = Object.keys(outcomes).filter((id) => overrides[id]?.result === undefined);
  return taken.length === 0 ? { ids } : { ids, plans: { plans: taken, firstMade, outcomes } };
}

/** Adds the plan that would have come next, if the run ended before it asked for that. Its id is the one that it would have had. */
function withNextPlan(plans: readonly NumberedPlan[]): readonly NumberedPlan[] {
  const last = plans.at(-1);
  const count = last?.plan?.calls.length ?? 0;
  if (last === undefined || count === 0) return plans;
  const ownPlans = plans.filter(({ id }) => id !== undefined);
  return [...plans, { id: `plan-${ownPlans.length + 1}`, first: last.first + count }];
}

/**
 * Finds the calls to which a rerun comes: those that were made, or waited for a person, in the run or in the one that it took them
 * from; the first of a plan; and each that follows one with a result, of the run or of the caller.
 */
function reachedCalls(
  { derived, events, input }: PlannedRun,
  plans: readonly NumberedPlan[],
  overrides: NonNullable<RerunRequest['overrides']>,
): ReadonlySet<string> {
  const askedSteps = new Set(events.flatMap(({ approval }) => approval?.step ?? []));
  const taken = input.reused?.outcomes ?? {};
  const hasResult = (id: string): boolean =>
    overrides[id]?.result !== undefined ||
    derived.steps.get(id)?.result !== undefined ||
    (taken[id] !== undefined && 'output' in taken[id]);
  const reached = new Set<string>();
  for (const { plan, first } of plans) {
    let follows = true;
    for (const id of (plan?.calls ?? []).map((_, at) => String(first + at))) {
      follows ||= derived.steps.has(id) || askedSteps.has(id) || Object.hasOwn(taken, id);
      if (!follows) continue;
      reached.add(id);
      follows = hasResult(id);
    }
  }
  return reached;
}

function takePlans(
  plans: readonly NumberedPlan[],
  fromStep: string | undefined,
): { readonly taken: ReusedPlans['plans']; readonly firstMade: number } {
  const number = Number(fromStep);
  const at = plans.findIndex(({ id, plan, first }) => {
    const isWithin = number >= first && number < first + (plan?.calls.length ?? 0);
    return id === fromStep || isWithin;
  });
  if (at === -1) return { taken: [], firstMade: 1 };
  const { first = 1 } = plans[at] ?? {};
  const isInMiddle = number > first;
  const taken = plans.slice(0, isInMiddle ? at + 1 : at).flatMap(({ plan }) => plan ?? []);
  return { taken, firstMade: isInMiddle ? number : first };
}

/** @returns undefined for a call that was not made, or did not end */
async function outcomeOf(
  { derived, input }: PlannedRun,
  id: string,
  call: ToolCall,
): Promise<ReusedOutcome | undefined> {
  const former = input.reused?.outcomes[id];
  if (former !== undefined) return former;
  const answer = await derived.readAnswer(id);
  const approved = answer?.args === undefined ? {} : { args: answer.args };
  const result = (await derived.readResult(id)) as ToolStepResult | undefined;
  if (result !== undefined) {
    const { output = null, executionTime } = result;
    return { ...approved, output, executionTime };
  }
  const error = await derived.readFailure(id, { ...call, ...approved }, input.toolLimits);
  if (error !== undefined) return { ...approved, error };
  if (answer === undefined || answer.status === 'approved') return undefined;
  const { status, comment } = answer;
  return { denied: { status, comment } };
}
