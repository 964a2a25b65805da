import { validationError } from '../src/base/errors';
import { BUDGET_LIMITS, type BudgetLimit, type BudgetLimits } from '../src/contracts/http/budgets';
import type { SessionName } from '../src/contracts/http/conversations';
import type { BudgetPolicy, RunPrices, SharedLimit } from '../src/contracts/runs/budgets';
import type { ModelChoice } from '../src/contracts/runs/workflows';
import type { PriceTable } from '../src/llm/prices';
import { sharedLimits, type SharedLimitSettings } from '../src/llm/shared-limits';
import type { Pseudonyms } from '../src/secrets/pseudonyms';
import type { Config } from '../src/settings/config';
import type { BudgetOption } from './run-options';

/** The setting that bounds each limit, and is the limit of runs whose request names none. */
const SETTINGS = {
  maxTokens: 'BUDGET_MAX_TOKENS',
  maxCostUsd: 'BUDGET_MAX_COST_USD',
  maxModelCalls: 'BUDGET_MAX_MODEL_CALLS',
  maxToolCalls: 'BUDGET_MAX_TOOL_CALLS',
  maxDurationMs: 'BUDGET_MAX_DURATION_MS',
} as const satisfies Record<BudgetLimit, keyof Config>;

export type BudgetSettings = SharedLimitSettings &
  Pick<Config, (typeof SETTINGS)[BudgetLimit] | 'BUDGET_ON_EXCEEDED'>;

/** Builds the budgets of runs that plan. */
export interface BudgetPolicies {
  /** The limits of the settings. */
  readonly ceilings: BudgetLimits;
  /**
   * The budget of a run, with the prices that it keeps.
   * @param turn the names of a turn, which shares the limits of its user and its session with others
   * @throws HoldfastError `VALIDATION` for a limit above its setting, and for a limit of costs if the model has no
   * price
   */
  build(option: BudgetOption, choice: ModelChoice, turn?: SessionName): BudgetPolicy;
  /** That of a turn that does not plan: only the limits that it shares with others. @throws as `build` does */
  buildShared(choice: ModelChoice, turn: SessionName): BudgetPolicy;
  /**
   * @param field where the limits stand
   * @param choice the model, which needs a price if a cost is limited; absent: that is not checked
   * @throws HoldfastError `VALIDATION` for a limit above its setting, or without a price
   */
  check(limits: BudgetLimits, field: string, choice?: ModelChoice): void;
}

export function createBudgetPolicies(
  settings: BudgetSettings,
  prices: PriceTable,
  pseudonyms: Pseudonyms,
): BudgetPolicies {
  function check(limits: BudgetLimits, field: string, choice?: ModelChoice): void {
    for (const limit of BUDGET_LIMITS) {
      const max = settings[SETTINGS[limit]];
      if (max !== undefined && (limits[limit] ?? 0) > max)
        throw validationError(`${field}.${limit}`, `must be at most ${max} (${SETTINGS[limit]})`);
    }
    if (choice !== undefined && limits.maxCostUsd !== undefined)
      pricesOf(choice, 'maxCostUsd', `${field}.maxCostUsd`);
  }

  const toShared = (turn: SessionName): SharedLimit[] => sharedLimits(settings, pseudonyms, turn);

  /** @param source the limit of costs that the model needs a price for; undefined if no cost is limited */
  function pricesOf(choice: ModelChoice, source: string | undefined, field = 'options.model'): RunPrices {
    const { provider, model } = choice;
    const priced = prices.of(choice);
    if (source !== undefined && provider !== 'builtin' && priced.models[model] === undefined) {
      const message = `the model "${model}" has no price (MODEL_PRICES_FILE), so ${source} cannot be kept`;
      throw validationError(field, message);
    }
    return priced;
  }

  function sourceOf(askedLimits: BudgetLimits, shared: readonly SharedLimit[]): string | undefined {
    if (askedLimits.maxCostUsd !== undefined) return 'maxCostUsd';
    if (settings.BUDGET_MAX_COST_USD !== undefined) return 'BUDGET_MAX_COST_USD';
    return sharedSourceOf(shared);
  }

  const ceilings: BudgetLimits = Object.fromEntries(
    BUDGET_LIMITS.flatMap((limit) => {
      const max = settings[SETTINGS[limit]];
      return max === undefined ? [] : [[limit, max]];
    }),
  );

  return {
    ceilings,
    check,
    buildShared(choice, turn) {
      const shared = toShared(turn);
      return { limits: {}, onExceeded: 'fail', prices: pricesOf(choice, sharedSourceOf(shared)), shared };
    },
    build(option = {}, choice, turn) {
      const { onExceeded = settings.BUDGET_ON_EXCEEDED, ...askedLimits } = option;
      check(askedLimits, 'options.budget');
      const limits = { ...ceilings, ...askedLimits };
      const shared = turn === undefined ? [] : toShared(turn);
      return {
        limits,
        onExceeded,
        prices: pricesOf(choice, sourceOf(askedLimits, shared)),
        ceilings,
        shared,
      };
    },
  };
}

function sharedSourceOf(shared: readonly SharedLimit[]): string | undefined {
  const limit = shared.find(({ maxCostUsd }) => maxCostUsd !== undefined);
  if (limit === undefined) return undefined;
  return limit.session === undefined ? 'BUDGET_USER_MAX_COST_USD' : 'BUDGET_SESSION_MAX_COST_USD';
}
