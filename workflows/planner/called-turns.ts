import { ApplicationFailure, ChildWorkflowFailure, TypedSearchAttributes } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  defineSignal,
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import { wordsOfCaller } from '../../src/contracts/caller-instructions';
import type { Degradation } from '../../src/contracts/http/conversations';
import { fitDetail, shorten } from '../../src/contracts/json';
import type { AgentTurnInput, AgentTurnResult, CalledTurnUsage } from '../../src/contracts/runs/agent';
import {
  agentToolName,
  type CallableAgent,
  MAX_AGENT_DEPTH,
  MAX_AGENT_TURNS,
} from '../../src/contracts/runs/agent-calls';
import {
  ANSWER_SIGNAL,
  type AnswerToCall,
  ASK_SIGNAL,
  type AskedByCall,
  outputOfTurn,
} from '../../src/contracts/runs/called-turns';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { nameSummary } from '../../src/contracts/runs/summaries';
import type { ToolCall } from '../../src/contracts/runs/tools';
import { toAttributePair } from '../steps/attribute-pairs';
import { causeOf } from '../steps/cause-of';
import { createFailure } from '../steps/failures';
import { retryPolicy } from '../steps/retries';
import type { RunBudget } from '../steps/run-budget';

/** Time limit of preparing a turn, which reads the store, milliseconds. */
const PREPARE_LIMIT_MS = 30_000;
/** Characters of the results of tools that a planner reads of a turn that failed. */
const TOOL_RESULTS_LENGTH = 2_000;

const askSignal = defineSignal<[AskedByCall]>(ASK_SIGNAL);
const answerSignal = defineSignal<[AnswerToCall]>(ANSWER_SIGNAL);

/** What a call of an agent gave. */
export interface AgentAnswer {
  readonly output: unknown;
  /** Milliseconds. */
  readonly executionTime: number;
}

/**
 * The turns of other agents that a turn calls, one after another. Each is a child of this run. What it asks a person is asked by this
 * run, so that an approval stands at the run that the caller knows.
 */
export class CalledTurns {
  readonly #input: AgentTurnInput;
  readonly #budget: RunBudget;
  readonly #agents: ReadonlyMap<string, CallableAgent>;
  readonly #depth: number;
  #turns: number;
  /** The step of each call whose turn is open, with the questions that it asks by their steps, by the workflow id of the turn. */
  readonly #open = new Map<
    string,
    { readonly step: string; readonly questions: Map<string, CancellationScope> }
  >();
  readonly #degraded: Degradation[] = [];

  constructor(input: AgentTurnInput, budget: RunBudget) {
    const { agents = [], calledBy } = input;
    this.#input = input;
    this.#budget = budget;
    this.#agents = new Map(agents.map((agent) => [agentToolName(agent.id), agent]));
    this.#depth = calledBy?.depth ?? 1;
    this.#turns = (calledBy?.turnsBefore ?? 0) + 1;
    if (agents.length > 0) setHandler(askSignal, (ask) => this.#relay(ask));
  }

  /** How many turns the run has had so far. */
  get count(): number {
    return this.#turns;
  }

  /** What the turns that it has called had to do without. */
  get degraded(): readonly Degradation[] {
    return this.#degraded;
  }

  has(toolName: string): boolean {
    return this.#agents.has(toolName);
  }

  /**
   * Has an agent answer a query in a turn of its own.
   * @param call with the name of the agent's tool
   * @throws ApplicationFailure `TOOL_EXECUTION_FAILED`, or a code of approvals, with `ToolFailureDetails`; `BUDGET_EXHAUSTED`;
   *   BudgetFinish; the run's cancellation
   */
  async ask(call: ToolCall, step: string): Promise<AgentAnswer> {
    const started = Date.now();
    const refusal = this.#reasonToRefuse(call);
    if (refusal !== undefined) throw failedCall(call, refusal);
    await this.#budget.beforeCalledTurn();
    const workflowId = `${workflowInfo().workflowId}/agent/${step}`;
    const questions = new Map<string, CancellationScope>();
    this.#open.set(workflowId, { step, questions });
    try {
      const { output, ...used } = await this.#run(call, step, workflowId);
      this.#note(used);
      return { output, executionTime: Date.now() - started };
    } catch (error) {
      throw this.#toFailure(error, call);
    } finally {
      this.#open.delete(workflowId);
      for (const question of questions.values()) question.cancel();
    }
  }

  async #run(
    { toolName, args }: ToolCall,
    step: string,
    workflowId: string,
  ): Promise<CalledTurnUsage & Pick<AgentAnswer, 'output'>> {
    const { userId, choice, approval, allow, toolLimits, narrowing } = this.#input;
    const { prepareAgentCall } = proxyLocalActivities<AgentActivities>({
      scheduleToCloseTimeout: PREPARE_LIMIT_MS,
      retry: retryPolicy(RETRY_DELAYS),
      summary: `prepare ${toolName}`,
    });
    const agent = this.#agents.get(toolName)?.id ?? '';
    const { input, memo, attributes, summary } = await prepareAgentCall({
      agent,
      query: String(args['query']),
      userId,
      runId: workflowInfo().firstExecutionRunId,
      workflowId,
      callStep: step,
      calledBy: {
        workflowId: workflowInfo().workflowId,
        depth: this.#depth + 1,
        turnsBefore: this.#turns,
        callerWords: wordsOfCaller(this.#input),
      },
      choice,
      approval,
      budget: this.#budget.left,
      allow,
      toolLimits,
      narrowing,
    });
    this.#turns += 1;
    const result = await executeChild<(input: AgentTurnInput) => Promise<AgentTurnResult>>('agentTurn', {
      workflowId,
      args: [input],
      memo,
      typedSearchAttributes: new TypedSearchAttributes(Object.entries(attributes).map(toAttributePair)),
      staticSummary: nameSummary(step, summary),
      workflowTaskTimeout: '3s',
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    });
    const { runUsage, agentTurns, degraded } = result;
    this.#degraded.push(...degraded);
    return { output: outputOfTurn(result), runUsage, agentTurns };
  }

  #reasonToRefuse({ args: { query } }: ToolCall): string | undefined {
    // A person may have approved the call with other arguments.
    if (typeof query !== 'string' || query.trim() === '') return 'query must be a text';
    if (this.#depth >= MAX_AGENT_DEPTH) return `agents call each other at most ${MAX_AGENT_DEPTH} deep`;
    return this.#turns >= MAX_AGENT_TURNS
      ? `a run has at most ${MAX_AGENT_TURNS} turns of agents`
      : undefined;
  }

  #note({ runUsage, agentTurns }: CalledTurnUsage): void {
    if (runUsage !== undefined) this.#budget.addCalledTurn(runUsage);
    if (agentTurns !== undefined) this.#turns = agentTurns;
  }

  #toFailure(error: unknown, call: ToolCall): unknown {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) return error;
    const cause = error instanceof ChildWorkflowFailure ? error.cause : causeOf(error);
    if (!(cause instanceof ApplicationFailure)) {
      const isPrepared = error instanceof ChildWorkflowFailure;
      return failedCall(call, isPrepared ? 'its turn was stopped' : 'its turn could not be prepared', error);
    }
    const details = (cause.details?.[0] ?? {}) as CalledTurnUsage & { readonly toolResults?: unknown };
    this.#note(details);
    const { toolResults } = details;
    const made =
      toolResults === undefined
        ? ''
        : `; the tools that it ran: ${shorten(toolResults, TOOL_RESULTS_LENGTH)}`;
    return failedCall(call, cause.message + made, cause, this.#codeOf(cause));
  }

  /** A question without an answer, or with a denial, ends the run only by the policy of this turn. */
  #codeOf({ type }: ApplicationFailure): string | undefined {
    const { onDeadline, onDenied } = this.#input.approval ?? {};
    if (type === 'APPROVAL_DENIED' && onDenied === 'fail') return type;
    return type === 'APPROVAL_EXPIRED' && onDeadline === 'fail' ? type : undefined;
  }

  /** Asks what a called turn asks, and brings it the answer, as long as that turn is open. */
  async #relay({ workflowId, question, isWithdrawn }: AskedByCall): Promise<void> {
    const open = this.#open.get(workflowId);
    if (open === undefined) return;
    if (isWithdrawn === true) return open.questions.get(question.step)?.cancel();
    const scope = new CancellationScope();
    open.questions.set(question.step, scope);
    const { firstExecutionRunId: runId } = workflowInfo();
    try {
      await scope.run(async () => {
        const outcome = await this.#budget.approvals.answer({
          ...question,
          runId,
          step: `${open.step}.${question.step}`,
        });
        const turn = getExternalWorkflowHandle(workflowId);
        await turn.signal(answerSignal, { step: question.step, outcome });
      });
    } catch {
      // Nothing waits for the answer any more.
    }
  }
}

function failedCall(
  { toolName, args }: ToolCall,
  reason: string,
  cause?: unknown,
  code = 'TOOL_EXECUTION_FAILED',
): ApplicationFailure {
  const message = `The agent of ${toolName} gave no answer: ${reason}`;
  return createFailure(code, message, { toolName, args: fitDetail(args) }, cause);
}
