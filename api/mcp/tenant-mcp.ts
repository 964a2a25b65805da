import type { ArgumentChecks } from '../../src/tools/argument-check';
import type { BudgetPolicies } from '../runs/budget-policies';
import type { PromptSource } from './prompt-source';
import type { ResourceSource } from './resource-source';
import type { ToolSource } from './tool-source';

/** What a tenant offers MCP clients. */
export interface TenantMcp {
  /** If two sources have a tool of the same name, the earlier one is used. */
  readonly tools: readonly ToolSource[];
  readonly resources: readonly ResourceSource[];
  readonly prompts: readonly PromptSource[];
  /** Checks the answers to runs that have used up a budget. */
  readonly budgets: Pick<BudgetPolicies, 'check'>;
  readonly argumentChecks: ArgumentChecks;
}
