import { z } from 'zod';
import type { Config } from '../../src/settings/config';
import { allowOption } from '../http/allow-option';
import { limitSchema } from '../http/limit-schema';
import { modelOptions } from '../http/model-options';
import { querySchema } from '../../src/contracts/http/text-schema';
import { approvalOption, plannerApprovalOption } from './approval-option';
import { budgetOption, singlePlanBudgetOption } from './budget-option';
import { timeoutOption } from './timeout-option';

export type QueryRequestLimits = Pick<Config, 'TOOL_TIMEOUT_MS' | 'PLANNER_MAX_ITERATIONS'>;

/** Builds the schemas of requests with a query in words. */
export function queryRequestSchemas(limits: QueryRequestLimits) {
  const { PLANNER_MAX_ITERATIONS } = limits;
  const options = z.strictObject({
    ...modelOptions,
    timeout: timeoutOption(limits),
    approval: approvalOption,
    budget: singlePlanBudgetOption,
  });
  const maxIterations = limitSchema(PLANNER_MAX_ITERATIONS, 'PLANNER_MAX_ITERATIONS')
    .optional()
    .describe('Maximum number of iterations in which tools are run');
  const toolName = z.string().min(1, 'must not be empty').max(64, 'must have at most 64 characters');
  return {
    withTool: z.strictObject({ query: querySchema, toolName, options: options.optional() }),
    planned: z.strictObject({
      query: querySchema,
      options: options
        .extend({ maxIterations, allow: allowOption, approval: plannerApprovalOption, budget: budgetOption })
        .optional(),
    }),
  };
}
