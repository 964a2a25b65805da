import { validationError } from '../../src/base/errors';
import type { BudgetLimit, BudgetLimits } from '../../src/contracts/http/budgets';
import { BUDGET_LIMITS } from '../../src/contracts/http/budgets';
import type { BudgetPolicy } from '../../src/contracts/runs/budgets';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { PriceTable } from '../../src/llm/prices';
import { findPrice } from '../../src/llm/prices';
import type { Config } from '../../src/settings/config';
import type { BudgetOption } from './budget-option';

/** The setting that bounds each limit, and is the limit of runs whose request names none. */
const SETTINGS = {
  maxTokens: 'BUDGET_MAX_TOKENS',
  maxCostUsd: 'BUDGET_MAX_COST_USD',
  maxModelCalls: 'BUDGET_MAX_MODEL_CALLS',
  maxToolCalls: 'BUDGET_MAX_TOOL_CALLS',
  maxDurationMs: 'BUDGET_MAX_DURATION_MS',
} as const satisfies Record<BudgetLimit, keyof Config>;

export type BudgetSettings = Pick<Config, (typeof SETTINGS)[BudgetLimit] | 'BUDGET_ON_EXCEEDED'>;

/** Builds the budgets of runs that plan. */
export interface BudgetPolicies {
  /**
   * The budget of a run, with the prices that it keeps.
   * @throws HoldfastError `VALIDATION` for a limit above its setting, and for a limit of costs where the model has no
   * price
   */
  build(option: BudgetOption, choice: ModelChoice): BudgetPolicy;
  /** @throws HoldfastError `VALIDATION` for a limit above its setting. @param field where the limits stand */
  check(limits: BudgetLimits, field: string): void;
}

export function createBudgetPolicies(settings: BudgetSettings, prices: PriceTable): BudgetPolicies {
  function check(limits: BudgetLimits, field: string): void {
    for (const limit of BUDGET_LIMITS) {
      const max = settings[SETTINGS[limit]];
      if (max !== undefined && (limits[limit] ?? 0) > max)
        throw validationError(`${field}.${limit}`, `must be at most ${max} (${SETTINGS[limit]})`);
    }
  }

  return {
    check,
    build(option = {}, choice) {
      const { onExceeded = settings.BUDGET_ON_EXCEEDED, ...asked } = option;
      check(asked, 'options.budget');
      const limits = Object.fromEntries(
        BUDGET_LIMITS.flatMap((limit) => {
          const max = asked[limit] ?? settings[SETTINGS[limit]];
          return max === undefined ? [] : [[limit, max]];
        }),
      ) as BudgetLimits;
      const { provider, model } = choice;
      const price = provider === 'builtin' ? undefined : findPrice(prices, model);
      if (limits.maxCostUsd !== undefined && provider !== 'builtin' && price === undefined) {
        const source = asked.maxCostUsd === undefined ? 'BUDGET_MAX_COST_USD' : 'maxCostUsd';
        const message = `the model "${model}" has no price (MODEL_PRICES_FILE), so ${source} cannot be kept`;
        throw validationError('options.model', message);
      }
      const { version, date } = prices;
      const models = price === undefined ? {} : { [model]: price };
      return { limits, onExceeded, prices: { version, date, models } };
    },
  };
}
