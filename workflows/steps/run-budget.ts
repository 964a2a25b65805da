import { ApplicationFailure } from '@temporalio/common';
import { isCancellation } from '@temporalio/workflow';
import type { BudgetLimit, BudgetLimits, RunUsage } from '../../src/contracts/http/budgets';
import type { TokenUsage } from '../../src/contracts/http/llm';
import {
  addCalledTurn,
  addModelCall,
  type BudgetPolicy,
  costOf,
  type ModelAllowance,
  NO_RUN_USAGE,
  priceOf,
  type ReachedLimit,
} from '../../src/contracts/runs/budgets';
import { fitCall, wholeTime } from '../../src/contracts/runs/call-time';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { Approvals } from './approvals';
import { causeOf } from './cause-of';
import { createFailure } from './failures';

/** A call is not made in less time than this, milliseconds; one whose time is over may have ended a little before. */
const MIN_CALL_MS = 200;
/** The answer of a run that has used up its budget and has to finish may have this many tokens besides. */
const MAX_FINISH_TOKENS = 1_024;
const EXHAUSTED = 'BUDGET_EXHAUSTED';

/** A limit of a run was reached whose author wants an answer from what is there. */
export class BudgetFinish extends Error {
  override readonly name = 'BudgetFinish';
  constructor(readonly limit: BudgetLimit) {
    super(`The run stopped because its budget was used up (${limit})`);
  }
}

/**
 * What one run has used, and what it may use. Each call is checked before it is made. A run without a policy has no limits,
 * and the cost of its models is unknown.
 */
export class RunBudget {
  readonly #policy: BudgetPolicy | undefined;
  readonly #started = Date.now();
  #limits: BudgetLimits;
  #usage = NO_RUN_USAGE;
  #pauses = 0;

  /** @param approvals those of the run, which also ask for a higher budget */
  constructor(
    policy: BudgetPolicy | undefined,
    readonly approvals: Approvals,
  ) {
    this.#policy = policy;
    this.#limits = policy?.limits ?? {};
  }

  /** What the run has used so far. */
  get usage(): RunUsage {
    return this.#usage;
  }

  /**
   * Makes a model call, as soon as the budget has room for it.
   * @param make makes the call; its activity fails with `BUDGET_EXHAUSTED` if the allowance has no room for it
   * @param readUsage reads the tokens of an answer; undefined if no model was asked
   * @throws as `make` and `beforeToolCall` do
   */
  async callModel<T>(
    choice: ModelChoice,
    make: (allowance: ModelAllowance | undefined) => Promise<T>,
    readUsage: (answer: T) => TokenUsage | undefined,
  ): Promise<T> {
    for (;;) {
      const reached = this.#reached('maxModelCalls', 'maxTokens', 'maxCostUsd', 'maxDurationMs');
      if (reached !== undefined) {
        await this.#exceed(reached);
        continue;
      }
      try {
        return await this.callUnlessFull(choice, make, readUsage);
      } catch (error) {
        if (isCancellation(error)) throw error;
        const { limit, owner, needed } = detailsOf(error);
        if (owner !== undefined) throw this.#sharedExhausted(error);
        // A call that was cut off by the end of the budget has failed because of that.
        const why = limit ?? this.#reached('maxTokens', 'maxCostUsd', 'maxDurationMs');
        if (why === undefined) throw error;
        await this.#exceed(why, needed);
      }
    }
  }

  /**
   * Makes a model call that the run can do without. The budget bounds it, and counts it, and nothing happens at a limit.
   * @throws as `make` does
   */
  async callUnlessFull<T>(
    choice: ModelChoice,
    make: (allowance: ModelAllowance | undefined) => Promise<T>,
    readUsage: (answer: T) => TokenUsage | undefined,
  ): Promise<T> {
    try {
      const answer = await make(this.#allowance(choice));
      this.#count(choice, readUsage(answer));
      return answer;
    } catch (error) {
      this.#count(choice, detailsOf(error).usage);
      throw error;
    }
  }

  /**
   * Makes the model call that answers the user, within the budget or as the last one.
   * @throws as `callModel` does, except BudgetFinish
   */
  async callLastModel<T>(
    choice: ModelChoice,
    make: (allowance: ModelAllowance | undefined) => Promise<T>,
    readUsage: (answer: T) => TokenUsage | undefined,
  ): Promise<T> {
    try {
      return await this.callModel(choice, make, readUsage);
    } catch (error) {
      if (error instanceof BudgetFinish) return this.finish(choice, make, readUsage);
      throw error;
    }
  }

  /** Makes the last model call of a run that has to finish. Only the limits that it shares with others bound it. */
  async finish<T>(
    choice: ModelChoice,
    make: (allowance: ModelAllowance) => Promise<T>,
    readUsage: (answer: T) => TokenUsage | undefined,
  ): Promise<T> {
    try {
      const answer = await make({ completionTokens: MAX_FINISH_TOKENS, ...this.#sharedAllowance(choice) });
      this.#count(choice, readUsage(answer));
      return answer;
    } catch (error) {
      const { owner, usage } = detailsOf(error);
      this.#count(choice, usage);
      throw owner === undefined ? error : this.#sharedExhausted(error);
    }
  }

  /**
   * Waits until the budget has room for a tool call.
   * @throws ApplicationFailure `BUDGET_EXHAUSTED`; BudgetFinish; the run's cancellation
   */
  beforeToolCall(): Promise<void> {
    return this.#untilBelow('maxToolCalls', 'maxDurationMs');
  }

  /** Waits until the budget has room for a turn that this run calls. @throws as `beforeToolCall` does */
  beforeCalledTurn(): Promise<void> {
    return this.#untilBelow('maxModelCalls', 'maxTokens', 'maxCostUsd', 'maxDurationMs');
  }

  async #untilBelow(...limits: readonly BudgetLimit[]): Promise<void> {
    for (;;) {
      const reached = this.#reached(...limits);
      if (reached === undefined) return;
      await this.#exceed(reached);
    }
  }

  /**
   * Makes a tool call, counts it, and gives it no more time than the run has.
   * @throws as `make` does; ApplicationFailure `BUDGET_EXHAUSTED` if the call failed because the time of a run was over
   * that then fails
   */
  async callTool<L extends { readonly timeoutMs: number }, T>(
    limits: L,
    make: (limits: L) => Promise<T>,
  ): Promise<T> {
    this.#usage = { ...this.#usage, toolCalls: this.#usage.toolCalls + 1 };
    try {
      return await make(this.fit(limits));
    } catch (error) {
      const isOver = this.#policy?.onExceeded === 'fail' && this.#reached('maxDurationMs') !== undefined;
      throw isOver && !isCancellation(error) ? this.#exhausted('maxDurationMs') : error;
    }
  }

  /**
   * What is left for a turn that this run calls, which then has it alone. Where the run would ask for more, the turn ends with
   * what it has, and the run asks.
   */
  get left(): BudgetPolicy | undefined {
    if (this.#policy === undefined) return undefined;
    const limits: Partial<Record<BudgetLimit, number>> = {};
    for (const [limit, max] of Object.entries(this.#limits) as [BudgetLimit, number][])
      limits[limit] = Math.max(0, max - this.#used(limit));
    const onExceeded = this.#policy.onExceeded === 'fail' ? 'fail' : 'finish';
    return { ...this.#policy, limits, onExceeded };
  }

  /** Counts what a turn has used that this run has called. */
  addCalledTurn(used: RunUsage): void {
    this.#usage = addCalledTurn(this.#usage, used);
  }

  /** Shortens the time limit of a call to what is left of the run's. */
  fit<T extends { readonly timeoutMs: number; readonly maxWaitMs?: number }>(limits: T): T {
    const left = (this.#limits.maxDurationMs ?? Infinity) - this.#workedMs();
    // The last call of a run that has used up its time has the time of any other.
    if (left <= MIN_CALL_MS) return limits;
    if (left >= wholeTime(limits)) return limits;
    const source = 'source' in limits ? { source: 'options.budget.maxDurationMs' } : {};
    return { ...fitCall(limits, left), ...source };
  }

  #workedMs(): number {
    return Date.now() - this.#started - this.approvals.waitedMs;
  }

  /** The first of these limits that the run has reached. */
  #reached(...limits: readonly BudgetLimit[]): BudgetLimit | undefined {
    return limits.find((limit) => {
      const least = limit === 'maxDurationMs' ? MIN_CALL_MS : 0;
      return this.#used(limit) + least >= (this.#limits[limit] ?? Infinity);
    });
  }

  #used(limit: BudgetLimit): number {
    const { promptTokens, completionTokens, costUsd, modelCalls, toolCalls } = this.#usage;
    switch (limit) {
      case 'maxTokens':
        return promptTokens + completionTokens;
      case 'maxCostUsd':
        return costUsd ?? 0;
      case 'maxModelCalls':
        return modelCalls;
      case 'maxToolCalls':
        return toolCalls;
      case 'maxDurationMs':
        return this.#workedMs();
    }
  }

  #allowance(choice: ModelChoice): ModelAllowance | undefined {
    const { maxTokens, maxCostUsd } = this.#limits;
    const shared = this.#sharedAllowance(choice);
    if (maxTokens === undefined && maxCostUsd === undefined && shared === undefined) return undefined;
    const price = priceOf(choice, this.#policy?.prices);
    return {
      ...(maxTokens === undefined ? {} : { tokens: maxTokens - this.#used('maxTokens') }),
      ...(maxCostUsd === undefined ? {} : { costUsd: maxCostUsd - this.#used('maxCostUsd') }),
      ...(maxCostUsd === undefined || price === undefined ? {} : { price }),
      ...shared,
    };
  }

  #sharedAllowance(choice: ModelChoice): Pick<ModelAllowance, 'shared' | 'price'> | undefined {
    const { shared = [], prices } = this.#policy ?? {};
    // The built-in rules spend nothing that others could need.
    if (shared.length === 0 || choice.provider === 'builtin') return undefined;
    return { shared, price: priceOf(choice, prices) };
  }

  /** The failure of a run at a limit that it shares with others. */
  #sharedExhausted(error: unknown): ApplicationFailure {
    const { limit, owner, period, needed } = detailsOf(error);
    const details = { reason: 'budget_exhausted', limit, owner, period, needed, usage: this.#usage };
    return createFailure(
      EXHAUSTED,
      `The budget of the ${owner} for this ${period} is used up: ${limit}`,
      details,
    );
  }

  #count(choice: ModelChoice, tokens: TokenUsage | undefined): void {
    // A step that asked no model reports none.
    if (tokens === undefined || tokens.totalTokens === 0) return;
    const cost = costOf(tokens, priceOf(choice, this.#policy?.prices));
    this.#usage = addModelCall(this.#usage, tokens, cost);
  }

  /** Does what the author of the run wants at a limit. Resolves if the run may go on. */
  async #exceed(limit: BudgetLimit, needed?: number): Promise<void> {
    const { onExceeded = 'fail' } = this.#policy ?? {};
    if (onExceeded === 'finish') throw new BudgetFinish(limit);
    const max = this.#limits[limit] ?? Infinity;
    const isCeiling = max >= (this.#policy?.ceilings?.[limit] ?? Infinity);
    if (onExceeded === 'fail' || isCeiling) throw this.#exhausted(limit, needed);
    this.#pauses += 1;
    const { message } = this.#exhausted(limit, needed);
    const args = {
      limit,
      used: this.#used(limit),
      limits: this.#limits,
      usage: this.#usage,
    } satisfies ReachedLimit;
    const answer = await this.approvals.askForBudget({ message, args }, `budget-${this.#pauses}`);
    if ('denied' in answer) throw this.#exhausted(limit, needed, answer.denied);
    this.#limits = { ...this.#limits, ...answer.limits };
  }

  /** @param needed what the next model call would take of the limit; undefined if that was not the reason */
  #exhausted(limit: BudgetLimit, needed?: number, denied?: string): ApplicationFailure {
    const max = this.#limits[limit];
    const more = needed === undefined ? '' : `, and the next model call needs about ${needed}`;
    const message = `The budget of the run is used up: ${limit} ${max}, used ${this.#used(limit)}${more}`;
    const details = { reason: 'budget_exhausted', limit, max, needed, usage: this.#usage };
    return createFailure(
      EXHAUSTED,
      denied === undefined ? message : `${message}; more was denied: ${denied}`,
      details,
    );
  }
}

/** Whether a run has failed at a limit of its budget. Pure. */
export function isExhausted(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === EXHAUSTED;
}

interface FailureDetails {
  readonly limit?: BudgetLimit;
  /** About how much of it the call would have taken. */
  readonly needed?: number;
  /** Whose limit it is, if the run shares it with others. */
  readonly owner?: 'user' | 'session';
  readonly period?: 'day' | 'month';
  /** The tokens that unusable answers took. */
  readonly usage?: TokenUsage;
}

/** Reads from the failure of a model's activity which limit it would have exceeded, and which tokens it took. */
function detailsOf(error: unknown): FailureDetails {
  const cause = causeOf(error);
  if (!(cause instanceof ApplicationFailure)) return {};
  const { usage, ...reached } = (cause.details?.[0] ?? {}) as FailureDetails;
  return { ...(cause.type === EXHAUSTED ? reached : {}), usage };
}
