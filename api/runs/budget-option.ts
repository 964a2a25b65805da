import { z } from 'zod';
import { budgetLimitsSchema, ON_EXCEEDED } from '../../src/contracts/http/budgets';

const ON_EXCEEDED_TEXT =
  'At a limit: `fail` ends the run, `pause` asks a person for more, `finish` asks the model for a last answer without ' +
  'tools; default BUDGET_ON_EXCEEDED';

/** The schema of `options.budget`. A misspelt field is rejected, because without it the run would have no limit. */
export const budgetOption = budgetLimitsSchema
  .extend({ onExceeded: z.enum(ON_EXCEEDED).optional().describe(ON_EXCEEDED_TEXT) })
  .optional();

/** That of runs that make one plan, whose model has nothing to answer from without its tool. */
export const singlePlanBudgetOption = budgetLimitsSchema
  .extend({ onExceeded: z.enum(ON_EXCEEDED).exclude(['finish']).optional().describe(ON_EXCEEDED_TEXT) })
  .optional();

export type BudgetOption = z.output<typeof budgetOption>;
