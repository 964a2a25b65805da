import { ApplicationFailure } from '@temporalio/common';
import {
  CancellationScope,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { createNameTest, type NameTest } from '../../src/contracts/credential-names';
import { fitDetail } from '../../src/contracts/json';
import type { BudgetLimits } from '../../src/contracts/http/budgets';
import { needsApproval } from '../../src/contracts/runs/approval-needs';
import {
  APPROVAL_TYPE,
  type ApprovalOutcome,
  type ApprovalPolicy,
  type ApprovalQuestion,
  type CallToApprove,
  QUESTION_MEMO,
  type StepApproval,
} from '../../src/contracts/runs/approvals';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';
import { nameSummary, summariseCall } from '../../src/contracts/runs/summaries';
import type { ToolCall } from '../../src/contracts/runs/tools';
import { carriedSchema } from '../../src/contracts/http/tool-schemas';
import { createFailure } from './failures';

const NO_TOOLS = { tools: [] };
/** What summaries and errors call a step that asks a model. */
const MODEL_STEP = 'llm_call';
const DENIED = 'APPROVAL_DENIED';
const EXPIRED = 'APPROVAL_EXPIRED';
const NO_POLICY = 'runs of this kind cannot wait for an approval';
const STOPPED: ApprovalOutcome = {
  status: 'denied',
  decision: 'deny',
  comment: 'its approval was stopped',
};
const NO_ANSWER = 'no answer came by the deadline';

/** Asks a question elsewhere than in a run of its own. @throws the run's cancellation */
export type AskElsewhere = (question: ApprovalQuestion) => Promise<ApprovalOutcome>;

/** The calls of one run that wait for a person. A run without a policy has none. */
export class Approvals {
  readonly #policy: ApprovalPolicy | undefined;
  readonly #askElsewhere: AskElsewhere | undefined;
  #pending = 0;
  #waitedMs = 0;

  /** @param askElsewhere how a turn that another turn has called asks, since the first turn of a run asks for all */
  constructor(policy: ApprovalPolicy | undefined, askElsewhere?: AskElsewhere) {
    this.#policy = policy;
    this.#askElsewhere = askElsewhere;
  }

  /** Whether values of a name are hidden from the person who is asked. */
  get isCredential(): NameTest {
    return createNameTest(this.#policy?.hiddenNames);
  }

  /** Whether a call has to be approved. @param rule that of its step, if the step has one */
  isNeeded(call: ToolCall, rule?: StepApproval): boolean {
    return rule !== undefined || needsApproval(call, this.#policy ?? NO_TOOLS);
  }

  /**
   * Waits until a call is approved that has to be. In a run without a policy it is denied at once.
   * @param step the call's name within the run
   * @returns the call, with the arguments of the answer if it has some
   * @throws ApplicationFailure `APPROVAL_DENIED` or `APPROVAL_EXPIRED`, with `ToolFailureDetails`; the run's
   * cancellation
   */
  async ask<T extends CallToApprove>(call: T, step: string, rule?: StepApproval): Promise<T> {
    if (this.#policy === undefined) throw denied(call, NO_POLICY);
    const kind = rule === undefined ? 'tool' : 'step';
    const question = toQuestion(kind, call, step, this.#policy, rule);
    const { status, decision, args, comment } = await this.answer(question);
    if (decision === 'approve') return args === undefined ? call : { ...call, args };
    if (status === 'expired' && question.onDeadline === 'fail') throw expired(call);
    throw denialOf(call, { status, comment });
  }

  /**
   * Asks for a higher budget.
   * @returns the limits that the run has from then on, or why it has no higher ones
   * @throws the run's cancellation
   */
  async askForBudget(
    request: Pick<CallToApprove, 'message' | 'args'>,
    step: string,
  ): Promise<{ readonly limits: BudgetLimits } | { readonly denied: string }> {
    if (this.#policy === undefined) return { denied: NO_POLICY };
    const question = toQuestion('budget', request, step, { ...this.#policy, onDeadline: 'deny' });
    const { status, budget, comment } = await this.answer(question);
    if (status === 'approved') return { limits: budget ?? {} };
    return { denied: status === 'expired' ? NO_ANSWER : (comment ?? 'no reason was given') };
  }

  /**
   * Asks the caller for the output of a call.
   * @throws the run's cancellation
   */
  askForOutput(call: CallToApprove, step: string): Promise<ApprovalOutcome> {
    // A run with such tools has a policy.
    if (this.#policy === undefined) throw denied(call, NO_POLICY);
    return this.answer(toQuestion('output', call, step, { ...this.#policy, onDeadline: 'deny' }));
  }

  /** How long calls have waited for answers so far, milliseconds; each call's wait is counted for itself. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Waits for the answer to a question of this run, or of a turn that it has called. @throws the run's cancellation */
  async answer(question: ApprovalQuestion): Promise<ApprovalOutcome> {
    const askedAt = Date.now();
    this.#notePending(1);
    try {
      if (this.#askElsewhere !== undefined) return await this.#askElsewhere(question);
      return await executeChild<(question: ApprovalQuestion) => Promise<ApprovalOutcome>>(APPROVAL_TYPE, {
        workflowId: `${workflowInfo().workflowId}/${APPROVAL_TYPE}/${question.step}`,
        args: [question],
        memo: { [QUESTION_MEMO]: question },
        parentClosePolicy: ParentClosePolicy.TERMINATE,
        staticSummary: nameSummary(question.step, summariseQuestion(question)),
      });
    } catch (error) {
      // If the run itself goes on, an operator has stopped the approval, so no answer will come.
      if (CancellationScope.current().consideredCancelled && isCancellation(error)) throw error;
      return STOPPED;
    } finally {
      this.#waitedMs += Date.now() - askedAt;
      this.#notePending(-1);
    }
  }

  /** Shows in the list of runs whether this one waits. */
  #notePending(change: 1 | -1): void {
    const before = this.#pending;
    this.#pending += change;
    const isListed = this.#policy?.isListed === true && this.#askElsewhere === undefined;
    if (!isListed || before * this.#pending !== 0) return;
    const key = { name: 'HoldfastWaiting', type: SEARCH_ATTRIBUTES.HoldfastWaiting };
    upsertSearchAttributes([{ key, value: this.#pending > 0 ? 'approval' : null }]);
  }
}

function summariseQuestion({ kind, toolName }: ApprovalQuestion): string {
  if (kind === 'output') return `output of ${toolName}`;
  return `approve ${toolName ?? (kind === 'budget' ? 'budget' : MODEL_STEP)}`;
}

function toQuestion(
  kind: ApprovalQuestion['kind'],
  { toolName, message: ownMessage, args, ...carried }: CallToApprove,
  step: string,
  policy: ApprovalPolicy,
  rule?: StepApproval,
): ApprovalQuestion {
  const { deadlineMs = policy.deadlineMs, onDeadline = policy.onDeadline } = rule ?? {};
  // Calls of earlier builds have no message of their own, and ask as the step is written.
  const message = ownMessage ?? rule?.message;
  const now = Date.now();
  return {
    kind,
    runId: workflowInfo().firstExecutionRunId,
    step,
    toolName,
    message,
    // Who runs the tool needs all of its arguments.
    args: kind === 'output' ? args : fitDetail(args),
    ...carriedSchema(carried),
    requestedAt: new Date(now).toISOString(),
    deadline: new Date(now + deadlineMs).toISOString(),
    onDeadline,
  };
}

/** The failure of a call that a person denied, or that had no answer in time. Pure. */
export function denialOf(
  call: CallToApprove,
  { status, comment }: Pick<ApprovalOutcome, 'status' | 'comment'>,
): ApplicationFailure {
  return denied(call, status === 'expired' ? NO_ANSWER : comment);
}

function denied(call: CallToApprove, reason: string | undefined): ApplicationFailure {
  const message = `The call was denied${reason === undefined ? '' : `: ${reason}`} (${summarise(call)})`;
  return createFailure(DENIED, message, aboutCall(call));
}

/** Whether a step failed because its call was denied. Pure. */
export function isDenial(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === DENIED;
}

/** Whether a call had no answer by a deadline that ends the run, also one that continues after other failures. Pure. */
export function isExpiry(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === EXPIRED;
}

/** Whether the failure of a call ends the run by the run's policy, which no planner may prevent. Pure. */
export function endsRun(error: unknown, policy: ApprovalPolicy | undefined): boolean {
  return isDenial(error) ? policy?.onDenied === 'fail' : isExpiry(error);
}

function expired(call: CallToApprove): ApplicationFailure {
  return createFailure(EXPIRED, `${NO_ANSWER} (${summarise(call)})`, aboutCall(call));
}

function summarise({ toolName = MODEL_STEP, args }: CallToApprove): string {
  return summariseCall({ toolName, args });
}

function aboutCall({ toolName = MODEL_STEP, args }: CallToApprove): object {
  return { toolName, args: fitDetail(args) };
}
