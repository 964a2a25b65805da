import type { BudgetLimit, BudgetLimits, OnExceeded, RunUsage } from '../http/budgets';
import type { ProviderName, TokenUsage } from '../http/llm';
import { addUsage } from './token-usage';

/** What a model costs, US dollars a million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Of prompt tokens that the provider had cached; absent: as `input`. */
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** A table of prices. That of a run has only the models of the run, as they were at its start. */
export interface RunPrices {
  readonly version: string;
  /** The day of the prices, as in 2026-11-24; absent if their version says it. */
  readonly date?: string;
  /** By model; a model without a price is absent. */
  readonly models: Readonly<Record<string, ModelPrice>>;
}

/** What a user, or a session of theirs, may spend on models in a day or a month of UTC. */
export interface SharedLimit {
  /** The user's pseudonym. */
  readonly user: string;
  /** The session's pseudonym; absent for a limit of all sessions of the user together. */
  readonly session?: string;
  readonly period: 'day' | 'month';
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
}

/** What a run may use, and what it does at a limit. */
export interface BudgetPolicy {
  readonly limits: BudgetLimits;
  readonly onExceeded: OnExceeded;
  readonly prices: RunPrices;
  /** What a person may raise the limits to; absent: to anything. */
  readonly ceilings?: BudgetLimits;
  /** Limits that the run shares with others. Nothing can raise them, so a run fails at one. */
  readonly shared?: readonly SharedLimit[];
}

/** What a run says of the limit that it has reached, in the arguments of its question for more. */
export interface ReachedLimit {
  readonly limit: BudgetLimit;
  readonly used: number;
  readonly limits: BudgetLimits;
  readonly usage: RunUsage;
}

/** What is left of a run's budget for one model call. */
export interface ModelAllowance {
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly shared?: readonly SharedLimit[];
  /** Present if a cost is limited. */
  readonly price?: ModelPrice;
  /** The tokens that the answer may have, whatever is left. */
  readonly completionTokens?: number;
}

export const NO_RUN_USAGE: RunUsage = {
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  modelCalls: 0,
  toolCalls: 0,
};

const PER = 1_000_000;
const DIGITS = 9;

/** Rounds a cost to a billionth of a dollar, so that sums do not show the errors of binary fractions. Pure. */
export const roundCost = (costUsd: number): number => Number(costUsd.toFixed(DIGITS));

/** Costs of tokens, US dollars. Pure. @returns null for a model without a known price */
export function costOf(usage: TokenUsage, price: ModelPrice | undefined): number | null {
  if (price === undefined) return null;
  const { promptTokens, completionTokens, cachedTokens = 0 } = usage;
  const { input, cachedInput = input, output } = price;
  const cost = (promptTokens - cachedTokens) * input + cachedTokens * cachedInput + completionTokens * output;
  return roundCost(cost / PER);
}

/** Adds two costs; one that is unknown makes the sum unknown. Pure. */
export function addCosts(first: number | null, second: number | null): number | null {
  return first === null || second === null ? null : roundCost(first + second);
}

const FREE: ModelPrice = { input: 0, output: 0 };

/** The price of a model in a run. The built-in rules cost nothing. Pure. */
export function priceOf(
  { provider, model }: { readonly provider: ProviderName; readonly model: string },
  prices: RunPrices | undefined,
): ModelPrice | undefined {
  return provider === 'builtin' ? FREE : prices?.models[model];
}

/** Adds a model call to what a run has used. Pure. */
export function addModelCall(
  { costUsd, modelCalls, toolCalls, ...before }: RunUsage,
  tokens: TokenUsage,
  cost: number | null,
): RunUsage {
  const { totalTokens: _, ...sum } = addUsage({ ...before, totalTokens: 0 }, tokens);
  return { ...sum, costUsd: addCosts(costUsd, cost), modelCalls: modelCalls + 1, toolCalls };
}

/** Adds what a turn has used to that of the run that has called it. Pure. */
export function addCalledTurn(before: RunUsage, used: RunUsage): RunUsage {
  const { totalTokens: _, ...sum } = addUsage({ ...before, totalTokens: 0 }, { ...used, totalTokens: 0 });
  return {
    ...sum,
    costUsd: addCosts(before.costUsd, used.costUsd),
    modelCalls: before.modelCalls + used.modelCalls,
    toolCalls: before.toolCalls + used.toolCalls,
  };
}
