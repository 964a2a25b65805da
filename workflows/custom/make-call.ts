import { fitDetail, shorten } from '../../src/contracts/json';
import { jsonLength } from '../../src/contracts/json-length';
import { approvalOf } from '../../src/contracts/runs/approval-needs';
import type { CallToApprove } from '../../src/contracts/runs/approvals';
import type { ChatResult } from '../../src/contracts/http/llm';
import { isInlineCall } from '../../src/contracts/runs/calls';
import type { ToolCall, ToolLimits } from '../../src/contracts/runs/tools';
import type { PreparedStep } from '../../src/contracts/runs/workflows';
import type { WorkflowValues } from '../../src/templates/workflow-scope';
import type { Approvals } from '../steps/approvals';
import type { ByteBudget } from '../steps/byte-budget';
import { generateStep } from '../steps/model-step';
import type { OneAtATime } from '../steps/one-at-a-time';
import type { SharedResult, SharedSteps } from '../steps/shared-steps';
import { buildCall, buildQuestion, type CallOutcome, estimateCall, type StepPorts } from './build-call';
import { followingSteps } from './following-steps';

/** Characters of an address in an error. */
const MAX_ADDRESS = 2_048;

/** What the calls of one run share. */
export interface RunOfCalls {
  readonly steps: readonly PreparedStep[];
  readonly budget: ByteBudget;
  readonly sharedSteps: SharedSteps;
  readonly approvals: Approvals;
  /** Runs the calls that are local activities. */
  readonly localSteps: OneAtATime;
  /** Every call that began. A run that fails waits for all of them to be cancelled and counted. */
  readonly calls: Promise<unknown>[];
  /** The addresses that calls of `api_call` for items go to, by the name of the call, for errors of these. */
  readonly addresses: Map<string, string>;
  /** The names of the calls whose arguments a person has changed. */
  readonly changed: Set<string>;
}

/**
 * Makes the call of a step, or of one item of a forEach step, once it is approved, if it has to be.
 * @param name the call's name within the run
 * @throws as `ByteBudget.call`, `Approvals.ask` and the call itself do
 */
export function makeCall(
  prepared: PreparedStep,
  name: string,
  values: WorkflowValues,
  run: RunOfCalls,
): Promise<CallOutcome> {
  const make = mayWait(prepared, run) ? callOnceApproved : callWithinBudget;
  const call = make(prepared, name, values, run);
  // The list keeps only when a call ends, so that results are not held in memory twice.
  run.calls.push(call.then(noValue, noValue));
  return call;
}

/** Whether a call may have to be approved. The method of a request may be a template, so only its call decides. */
function mayWait({ step, execution }: PreparedStep, { approvals }: RunOfCalls): boolean {
  if (approvalOf(step) !== undefined) return true;
  if (execution.kind !== 'tool') return false;
  const args = step.type === 'tool_execution' ? step.config.args : step.config;
  return approvals.isNeeded({ ...execution.tool, args });
}

/**
 * A call that waits for a person must not hold a part of the budget, which other calls need. Its arguments are built for
 * the question, of which only a short form is kept, and built again for the call.
 */
async function callOnceApproved(
  prepared: PreparedStep,
  name: string,
  values: WorkflowValues,
  run: RunOfCalls,
): Promise<CallOutcome> {
  const { budget, approvals } = run;
  const rule = approvalOf(prepared.step);
  const question = await budget.call(
    () => estimateCall(prepared, values),
    () => {
      const built = buildQuestion(prepared, values, approvals.isCredential);
      const isNeeded = rule !== undefined || approvals.isNeeded(built as ToolCall);
      const shortQuestion = isNeeded ? shortened(built) : undefined;
      // The work decides when other calls begin, so that what is counted is a part of the determinism.
      budget.countWork(jsonLength({ ...built, message: undefined }));
      return { length: 0, isInline: false, run: () => Promise.resolve(shortQuestion) };
    },
    () => undefined,
  );
  if (question === undefined) return callWithinBudget(prepared, name, values, run, {});
  const approved = await approvals.ask(question, name, rule);
  if (approved !== question) run.changed.add(name);
  return callWithinBudget(prepared, name, values, run, approved === question ? {} : { args: approved.args });
}

/** A question with no more of the arguments than approvals and errors show. */
function shortened(question: CallToApprove): CallToApprove {
  return { ...question, args: fitDetail(question.args) as CallToApprove['args'] };
}

/**
 * @param approved the arguments of the answer, if it has some; undefined in runs of earlier builds, whose calls wait for
 * their approval within the budget
 */
function callWithinBudget(
  prepared: PreparedStep,
  name: string,
  values: WorkflowValues,
  { steps, budget, sharedSteps, approvals, localSteps, addresses, changed }: RunOfCalls,
  approved?: Partial<Pick<ToolCall, 'args'>>,
): Promise<CallOutcome> {
  const rule = approvalOf(prepared.step);
  const make = (built: ToolCall, step: string, limits: ToolLimits): Promise<SharedResult> => {
    const { url } = built.args;
    if (values.item !== undefined && built.toolName === 'api_call' && typeof url === 'string')
      addresses.set(step, shorten(url, MAX_ADDRESS));
    const start = (): Promise<SharedResult> =>
      sharedSteps.run(built, step, limits, () => followingSteps(steps, prepared, values));
    return isInlineCall(built) ? localSteps.run(start) : start();
  };
  const askModel: StepPorts['askModel'] = (call, step) => {
    const start = (): Promise<ChatResult> => generateStep(call, step);
    return call.choice.provider === 'builtin' ? localSteps.run(start) : start();
  };
  const whenApproved: StepPorts = {
    runTool: (built, step, limits) =>
      approvals.isNeeded(built, rule)
        ? approvals.ask(built, step, rule).then((answered) => {
            if (answered !== built) changed.add(name);
            return make(answered, step, limits);
          })
        : make(built, step, limits),
    askModel,
    approve: rule === undefined ? undefined : (prompt, step) => approvals.ask(prompt, step, rule),
  };
  const ports = approved === undefined ? whenApproved : { runTool: make, askModel, approve: undefined };
  return budget.call(
    () => estimateCall(prepared, values, approved?.args),
    () => buildCall(prepared, name, values, ports, approved?.args),
    ({ result }) => result,
  );
}

function noValue(): void {
  // Drops the value, so that the promise says only when the call ended.
}
